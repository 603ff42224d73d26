import { isRowkeyError, type RowkeyError } from 'rowkey/codec'
import type { InvalidSchemaDetails } from 'rowkey/internal'
import { describe, expect, test } from 'vitest'
import { declaredCodes, detailsOf, problemCodes, thrownCodes } from './codes.js'
import { follow, refusalOf } from './follow.js'
import { noRemedies, type Provocation } from './provocation.js'
import { provocations } from './provocations.js'

async function errorOf([what, run]: Provocation): Promise<RowkeyError> {
  try {
    await run()
  } catch (error) {
    if (isRowkeyError(error)) return error
    throw new Error(`${what}: no error of rowkey`, { cause: error })
  }
  throw new Error(`${what}: nothing was refused`)
}

const provoked: { readonly what: string; readonly error: RowkeyError }[] = []
for (const provocation of provocations) provoked.push({ what: provocation[0], error: await errorOf(provocation) })

test('ERR-1: every error has a code, details, and a message that says what, where and the remedy', async () => {
  const sections = declaredCodes().map((code) => {
    const lines = provoked
      .filter(({ error }) => error.code === code)
      .map(({ what, error }) => `${what}\n${error.message.replace(/^/gm, '    ')}`)
    return `# ${code}\n\n${lines.join('\n\n')}\n`
  })
  await expect(sections.join('\n')).toMatchFileSnapshot('messages.txt')
})

test('ERR-1: every code is declared with its details, thrown somewhere, and provoked here', () => {
  expect(thrownCodes()).toEqual(declaredCodes())
  expect([...new Set(provoked.map(({ error }) => error.code))].sort()).toEqual(declaredCodes())
  const problems = provoked.flatMap(({ error }) =>
    error.code === 'INVALID_SCHEMA' ? (error.details as unknown as InvalidSchemaDetails).problems : [],
  )
  expect([...new Set(problems.map(({ code }) => code))].sort()).toEqual(problemCodes())
})

test('ERR-1: messages are sentences of readable length, and details are plain', () => {
  for (const { what, error } of provoked) {
    expect(error.message.startsWith(`${error.code}: `), what).toBe(true)
    expect(error.message, what).toMatch(/[.\]…]$/)
    expect(error.message, what).not.toMatch(/undefined undefined|\[object|NaNn|null null|\.\.(?!\.)|: \./)
    expect(error.message, what).not.toMatch(/\b1 (?!(?:is|was|has|as)\b)[a-z]+s\b/)
    expect(error.message.length, what).toBeLessThan(1200)
    expect(Object.keys(error.details).length > 0 || ['INVALID_LAYOUT', 'CLOSED'].includes(error.code), what).toBe(true)
    expect(error.name).toBe('RowkeyError')
  }
})

test('ERR-1: errors carry no details that are not declared', () => {
  for (const { what, error } of provoked) {
    const declared = detailsOf(error.code)
    expect(
      Object.keys(error.details).filter((name) => !declared.includes(name)),
      `${error.code}: ${what}`,
    ).toEqual([])
  }
})

test('ERR-1: recognised by a registered symbol, not by class', () => {
  const { error } = provoked[0] as { error: RowkeyError }
  const copy = Object.assign(new Error(error.message), { code: error.code, details: error.details })
  expect(isRowkeyError(copy)).toBe(false)
  Object.defineProperty(copy, Symbol.for('rowkey.error'), { value: true })
  expect(isRowkeyError(copy)).toBe(true)
  expect(isRowkeyError(copy, error.code)).toBe(true)
  expect(isRowkeyError(copy, 'NOPE')).toBe(false)
  expect(isRowkeyError({ code: 'ROW_EXISTS' }) || isRowkeyError(undefined) || isRowkeyError('ROW_EXISTS')).toBe(false)
})

test('names of provocations are unique', () => {
  const names = provocations.map(([what]) => what)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

// Last, because what a remedy does is there for the provocations of one process.
describe('ERR-1: what a message says to do helps, and nothing else is lost', () => {
  test.each(provocations.map((provocation) => [provocation[0], provocation] as const))('%s', async (_, [what, run, remedies]) => {
    const error = await refusalOf(what, run)
    // What was done before has not changed what this one is about.
    expect(error.message).toBe(provoked.find((each) => each.what === what)?.error.message)
    if (typeof remedies === 'string') expect(error.message).toMatch(noRemedies[remedies])
    else await follow(error, remedies)
  })
})
