import { int32, text } from 'rowkey/codec'
import { createMapper, defineTable, type ErrorDetails, isRowkeyError, memory, type Operation } from 'rowkey'
import { expect, test } from 'vitest'
import { wrapped } from '../kit/wrapped.js'
import { detailsOf } from './codes.js'

const columns = { id: text(), count: int32() }
const never = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'Never.' }] }) } } as const
const store = memory()
const db = createMapper(store)
const failing = createMapper(
  wrapped(store, {
    write: (batch) => batch.map((_, i) => (i === 1 ? { kind: 'failed', cause: new Error('full') } : { kind: 'unprocessed' })),
  }),
)
const Counts = defineTable('counts', { columns, key: ['id'], version: 'rev' })
const Plain = defineTable('plain', { columns, key: ['id'], writes: 'plain' })
const Bare = defineTable('bare', { columns, key: ['id'] })
const Checked = defineTable('checked', { columns, key: ['id'], check: [never] })
await db.ensureTables([Counts, Plain, Bare, Checked])
const [counts, plain, bare, checked] = [db.repository(Counts), db.repository(Plain), db.repository(Bare), db.repository(Checked)]
await counts.put({ id: 'there', count: 1 })

const fine = counts.ops.put({ id: 'a', count: 1 })
const both = (operation: Operation) => () => db.write([fine, operation], { atomic: true })
const key = { id: 'gone' }

const refusals: Partial<Record<keyof ErrorDetails, () => Promise<unknown>>> = {
  INVALID_VALUE: () =>
    counts.putMany([
      { id: 'a', count: 1 },
      { id: 'b', count: 0.5 },
    ]),
  UNKNOWN_COLUMN: () => counts.getMany([key, { ...key, x: 1 } as never]),
  KEY_IMMUTABLE: both(counts.ops.update(key, { id: 'b' } as never)),
  LIMIT_EXCEEDED: () => counts.deleteMany([key, { id: 'x'.repeat(2000) }]),
  INVALID_OPTION: both({ table: 'counts', kind: 'put' }),
  VALIDATION_FAILED: both(checked.ops.put({ id: 'a', count: 1 })),
  TTL_UNDECLARED: both(bare.ops.put({ id: 'a', count: 1 }, { expires: '1d' })),
  INVALID_PREDICATE: both(bare.ops.update(key, { count: 1 }, { if: { rev: 'x' } as never })),
  ROW_EXISTS: both(counts.ops.insert({ id: 'there', count: 1 })),
  ROW_NOT_FOUND: both(counts.ops.update(key, { count: 1 })),
  VERSION_CONFLICT: both(counts.ops.update({ id: 'there' }, { count: 1 }, { if: { rev: 'other' } })),
  WRITE_FAILED: () =>
    failing.write([failing.repository(Counts).ops.put({ id: 'a', count: 1 }), failing.repository(Counts).ops.delete(key)], {
      atomic: true,
    }),
  PLAIN_WRITES_ONLY: both((plain.ops as unknown as typeof bare.ops).insert({ id: 'a', count: 1 })),
}

test.each(Object.entries(refusals))('ERR-1: %s of one item of a list names its place in details.index', async (code, run) => {
  const error: unknown = await run().catch((refusal: unknown) => refusal)
  expect(error).toMatchObject({ code, details: { index: 1 } })
  expect((error as Error).message).toContain('at index 1 of the list')
  expect(detailsOf(code)).toContain('index')
})

test('ERR-1: the index is typed', () => {
  const error: unknown = undefined
  const index: number | undefined = isRowkeyError(error, 'ROW_EXISTS') ? error.details.index : undefined
  expect(index).toBeUndefined()
})
