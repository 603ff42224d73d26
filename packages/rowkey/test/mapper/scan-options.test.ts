import { int32, isRowkeyError, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { expect, test } from 'vitest'

const Rows = defineTable('rows', { columns: { a: text(), n: int32() }, key: ['a', 'n'] })
const db = createMapper(memory())
await db.ensureTables([Rows])
const rows = db.repository(Rows)

test.each([
  ['limt', 5],
  ['order', 'yes'],
  ['order', ['reverse']],
  ['reverse', true],
  ['cursor', 'x'],
  ['unbounded', 'true'],
  ['limit', 0],
  ['limit', 2.5],
  ['limit', NaN],
  ['limit', '10'],
  ['maxRanges', -1],
  ['maxFanOut', Infinity],
  ['select', 'a'],
  ['filter', true],
  ['order', 'desc'],
  ['consistency', 'weak'],
  ['signal', 'stop'],
])('ERR-2: option %s = %o is INVALID_OPTION, at the call that runs the scan', async (option, value) => {
  const scan = rows.scan({ a: 'x' }, { [option]: value })
  for (const run of [() => scan.page(), () => scan.toArray(), () => scan.count(), () => scan[Symbol.asyncIterator]().next()]) {
    const error: unknown = await run().catch((reason: unknown) => reason)
    expect(isRowkeyError(error, 'INVALID_OPTION') && error.details).toMatchObject({ option })
  }
  expect(() => scan.explain()).toThrow('INVALID_OPTION')
})

test.each([5, null, ['a', 'b'], {}, true])('PAGE-3 SCAN-8: %o is no cursor and no checkpoint', async (given) => {
  const cursor = given as string
  const scan = rows.scan({ a: 'x' })
  for (const run of [() => scan.page({ cursor }), () => rows.readAll({ checkpoint: cursor }).count()]) {
    const error: unknown = await run().catch((reason: unknown) => reason)
    expect(isRowkeyError(error, 'CURSOR_INVALID') && error.details.reason).toMatch(/^it is .*, not text$/)
  }
})

test.each([{ size: 0 }, { size: 2.5 }, { size: '10' }, { limit: 10 }])('ERR-2: page(%o) is INVALID_OPTION', async (options) => {
  const page = rows.scan({ a: 'x' }).page(options as object)
  const error: unknown = await page.catch((reason: unknown) => reason)
  expect(isRowkeyError(error, 'INVALID_OPTION') && error.details).toMatchObject({ option: Object.keys(options)[0] })
})

test('ERR-2: a list of columns, and an order, may contain anything from outside', async () => {
  const hostile: unknown[] = [{ toString: null }, [[[]]], null, true, { name: 'a' }]
  for (const each of hostile) {
    const selecting = rows.scan({ a: 'x' }, { select: [each] as never }).page()
    expect(isRowkeyError(await selecting.catch((reason: unknown) => reason), 'UNKNOWN_COLUMN')).toBe(true)
    const ordered = rows.scan({ a: 'x' }, { order: { n: each } as never }).page()
    expect(isRowkeyError(await ordered.catch((reason: unknown) => reason), 'ORDER_UNAVAILABLE')).toBe(true)
  }
})

test('PAGE-2: paging may start with an undefined cursor', async () => {
  await rows.putMany([1, 2, 3].map((n) => ({ a: 'x', n })))
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page = await rows.scan({ a: 'x' }).page({ size: 2, cursor })
    seen.push(...page.rows.map(({ n }) => n))
    cursor = page.cursor
  } while (cursor !== undefined)
  expect(seen).toEqual([1, 2, 3])
})
