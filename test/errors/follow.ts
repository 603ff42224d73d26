import { isRowkeyError, type RowkeyError } from 'rowkey/codec'
import { expect } from 'vitest'
import type { Remedies } from './provocation.js'

/** The error of rowkey that a call throws or rejects with. */
export async function refusalOf(what: string, run: () => unknown): Promise<RowkeyError> {
  const error: unknown = await (async () => run())().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isRowkeyError(error)) throw new Error(`${what} was not refused`, { cause: error })
  return error
}

/** Carries out everything that a message says to do. */
export async function follow(error: RowkeyError, remedies: Remedies): Promise<void> {
  expect(unfollowed(error.message, remedies)).toEqual([])
  for (const [said, remedy] of Object.entries(remedies)) {
    expect(error.message).toContain(said)
    const before = expect.getState().assertionCalls
    await remedy(said, error)
    expect(expect.getState().assertionCalls, `“${said}” asserts nothing`).toBeGreaterThan(before)
  }
}

/** What a message says after the first words that a remedy is for, without all such words. Nothing but punctuation may be left. */
function unfollowed(message: string, remedies: Remedies): readonly string[] {
  const lines = message.includes('\n- ') ? message.split('\n').slice(1) : [message]
  const words = Object.keys(remedies).sort((a, b) => b.length - a.length)
  return lines.flatMap((line) => {
    const rest = words.reduce((text, each) => text.replaceAll(each, '\0'), line)
    const tail = rest.includes('\0') ? rest.slice(rest.indexOf('\0')) : rest
    return /^(\0|, or |, and | or |, |: |\)?\. ?)+$/.test(tail) ? [] : [tail]
  })
}
