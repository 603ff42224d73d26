import { isRowkeyError, type RowkeyError } from '@rowkey/codec'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { provocations } from './provocations.js'
import { noRemedies, type Provocation, type Remedies } from './provocation.js'

const snapshot = readFileSync(new URL('messages.txt', import.meta.url), 'utf8')

/** What stands in the snapshot for a refusal. */
const entry = (what: string, message: string): string => `\n${what}\n${message.replace(/^/gm, '    ')}\n`

async function refusal([what, run]: Provocation): Promise<RowkeyError> {
  const error: unknown = await (async () => run())().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isRowkeyError(error)) throw new Error(`${what} was not refused`, { cause: error })
  // What was done before has not changed what this one is about.
  if (!snapshot.includes(entry(what, error.message))) expect.fail(`not as in messages.txt: ${error.message}`)
  return error
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

test('names of provocations are unique', () => {
  const names = provocations.map(([what]) => what)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

describe('ERR-1: what a message says to do helps, and nothing else is lost', () => {
  test.each(provocations.map((provocation) => [provocation[0], provocation] as const))('%s', async (_, provocation) => {
    const [, , remedies] = provocation
    const error = await refusal(provocation)
    if (typeof remedies === 'string') {
      expect(error.message).toMatch(noRemedies[remedies])
      return
    }
    expect(unfollowed(error.message, remedies)).toEqual([])
    for (const [said, follow] of Object.entries(remedies)) {
      expect(error.message).toContain(said)
      const before = expect.getState().assertionCalls
      await follow(said, error)
      expect(expect.getState().assertionCalls, `“${said}” asserts nothing`).toBeGreaterThan(before)
    }
  })
})
