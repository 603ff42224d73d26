import { int32, isRowkeyError, text } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { expect, test } from 'vitest'

const Rows = defineTable('rows', { columns: { a: text(), n: int32() }, key: ['a', 'n'] })
const db = createMapper(memory())
await db.ensureTables([Rows])
const rows = db.repository(Rows)

test.each([
  ['limt', 5],
  ['reverse', 'yes'],
  ['reverse', 1],
  ['allowFullScan', 'true'],
  ['limit', 0],
  ['limit', 2.5],
  ['limit', NaN],
  ['limit', '10'],
  ['maxRanges', -1],
  ['maxFanOut', Infinity],
  ['cursor', 5],
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

test('PAGE-2: paging may start with an undefined cursor', async () => {
  await rows.putMany([1, 2, 3].map((n) => ({ a: 'x', n })))
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page = await rows.scan({ a: 'x' }, { limit: 2, cursor }).page()
    seen.push(...page.rows.map(({ n }) => n))
    cursor = page.cursor
  } while (cursor !== undefined)
  expect(seen).toEqual([1, 2, 3])
})
