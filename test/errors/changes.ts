import { int32, int64, nullable, text, uint16, uint8 } from 'rowkey/codec'
import { copyTable, createMapper, defineTable, memory } from 'rowkey'
import { expect } from 'vitest'
import type { Provocation, Remedy } from './provocation.js'
import { gives } from './remedies.js'

// Conditions and increments.

const Notes = defineTable('notes', {
  columns: { id: text(), note: nullable(text()), n: nullable(uint8()) },
  key: ['id'],
  version: 'rev',
  ttl: '30d',
})
const counts = { id: text(), hits: uint8(), note: nullable(text()) }
const Counted = defineTable('counted', { columns: counts, key: ['id'] })

const widestColumns = { id: text(), most: int32({ default: 0 }), bits: int64({ default: 0n }) }
const Widest = defineTable('widest', { columns: widestColumns, key: ['id'] })

const store = memory()
const db = createMapper(store)
await db.ensureTables([Notes, Counted, Widest])
const notes = db.repository(Notes)
const counted = db.repository(Counted)
const widest = db.repository(Widest)
await widest.put({ id: 'a' })
await counted.put({ id: 'a', hits: 1 })
await notes.insert({ id: 'a' })

/** The write of the row is no longer refused, and leaves this; then the row is put back. */
const leaves =
  (write: () => Promise<unknown>, left: object | undefined): Remedy =>
  async () => {
    await write()
    expect(await counted.get({ id: 'a' })).toEqual(left === undefined ? undefined : { id: 'a', hits: 1, note: null, ...left })
    await counted.put({ id: 'a', hits: 1 })
  }
const writesNote =
  (write: () => Promise<unknown>): Remedy =>
  async () => {
    await write()
    expect(await notes.exists({ id: 'a' })).toBe(true)
  }

export const changeErrors: readonly Provocation[] = [
  [
    'a row that does not meet the condition',
    () => counted.update({ id: 'a' }, { hits: 1 }, { if: { hits: { gt: 5 } } }),
    {
      'Read the row and decide again': leaves(
        async () => {
          const { hits } = await counted.getOrThrow({ id: 'a' })
          await counted.update({ id: 'a' }, { hits: 2 }, { if: { hits } })
        },
        { hits: 2 },
      ),
    },
  ],
  [
    'a condition on a key column',
    () => counted.delete({ id: 'a' }, { if: { id: 'a', hits: 1 } as never }),
    { 'the key already names its value. Leave it out': leaves(() => counted.delete({ id: 'a' }, { if: { hits: 1 } }), undefined) },
  ],
  [
    'a condition that is empty',
    () => counted.delete({ id: 'a' }, { if: {} }),
    {
      'Name at least one': leaves(() => counted.delete({ id: 'a' }, { if: { hits: 1 } }), undefined),
      'leave the condition out': leaves(() => counted.delete({ id: 'a' }), undefined),
    },
  ],
  [
    'an increment beyond the column',
    () => counted.increment({ id: 'a' }, { hits: 255 }),
    {
      'Add less': leaves(() => counted.increment({ id: 'a' }, { hits: 254 }), { hits: 255 }),
      'declare a wider column and call ensureTables()': gives(
        async () => {
          const own = createMapper(memory())
          await own.ensureTables([Counted])
          await own.repository(Counted).put({ id: 'a', hits: 1 })
          const Wider = defineTable('counted', { columns: { ...counts, hits: uint16() }, key: ['id'] })
          await own.ensureTables([Wider])
          await own.repository(Wider).increment({ id: 'a' }, { hits: 255 })
          return own.repository(Wider).get({ id: 'a' })
        },
        { id: 'a', hits: 256, note: null },
      ),
    },
  ],
  [
    'an increment beyond the widest number',
    () => widest.increment({ id: 'a' }, { most: 2 ** 31 }),
    {
      'Add less': gives(async () => {
        await widest.increment({ id: 'a' }, { most: 2 ** 31 - 1 })
        await widest.increment({ id: 'a' }, { most: 1 - 2 ** 31 })
        return widest.exists({ id: 'a' })
      }, true),
      'copy the rows with copyTable() into a table with a 64-bit column': gives(async () => {
        const Wider = defineTable('wider', { columns: { ...widestColumns, most: int64({ as: 'number' }) }, key: ['id'] })
        await db.ensureTables([Wider])
        const wider = db.repository(Wider)
        await copyTable(widest, wider)
        await wider.increment({ id: 'a' }, { most: 2 ** 31 })
        return (await wider.getOrThrow({ id: 'a' })).most
      }, 2 ** 31),
    },
  ],
  [
    'an increment beyond 64 bits',
    () => widest.increment({ id: 'a' }, { bits: 2n ** 64n - 1n }),
    { 'Add less': gives(() => widest.increment({ id: 'a' }, { bits: 1n })) },
  ],
  [
    'an increment by a fraction',
    () => counted.increment({ id: 'a' }, { hits: 0.5 }),
    { 'Give a whole number': leaves(() => counted.increment({ id: 'a' }, { hits: 1 }), { hits: 2 }) },
  ],
  [
    'an increment of text',
    () => counted.increment({ id: 'a' }, { note: 'x' } as never),
    {
      'Read the row, and update() it on a condition (if)': leaves(
        async () => {
          const { note } = await counted.getOrThrow({ id: 'a' })
          await counted.update({ id: 'a' }, { note: `${note ?? ''}x` }, { if: { note } })
        },
        { note: 'x' },
      ),
    },
  ],
  [
    'an increment of text in a table with versions',
    () => notes.increment({ id: 'a' }, { note: 'x' } as never),
    { 'Use modify()': writesNote(() => notes.modify({ id: 'a' }, ({ note }) => ({ note: `${note ?? ''}x` }))) },
  ],
  [
    'an increment of the version',
    () => notes.increment({ id: 'a' }, { n: 1, rev: 'x' } as never),
    { 'Leave it out': writesNote(() => notes.increment({ id: 'a' }, { n: 1 })) },
  ],
  [
    'an increment of the key',
    () => counted.increment({ id: 'a' }, { id: 1 } as never),
    {
      'Insert the row with the new key, and then delete this one': gives(async () => {
        await counted.insert({ ...(await counted.getOrThrow({ id: 'a' })), id: 'b' })
        await counted.delete({ id: 'a' })
        const moved = await counted.readAll().count()
        await counted.insert({ ...(await counted.getOrThrow({ id: 'b' })), id: 'a' })
        await counted.delete({ id: 'b' })
        return moved
      }, 1),
    },
  ],
  [
    'an increment by nothing',
    () => counted.increment({ id: 'a' }, {}),
    { 'Give at least one, such as { hits: 1 }': leaves(() => counted.increment({ id: 'a' }, { hits: 1 }), { hits: 2 }) },
  ],
  [
    'an increment that creates a row with another key',
    () => counted.increment({ id: 'a' }, { hits: 1 }, { create: { id: 'b' } as never }),
    {
      'Leave it out: the row has the key of the increment': leaves(() => counted.increment({ id: 'a' }, { hits: 1 }, { create: {} }), {
        hits: 2,
      }),
    },
  ],
  [
    'an increment that creates a row with the column that it adds to',
    () => counted.increment({ id: 'a' }, { hits: 1 }, { create: { hits: 5 } as never }),
    {
      'Leave it out: the amount is added to its default, or to 0': leaves(
        () => counted.increment({ id: 'a' }, { hits: 1 }, { create: {} }),
        { hits: 2 },
      ),
    },
  ],
  [
    'an increment with an expiry that creates no row',
    () => notes.increment({ id: 'a' }, { n: 1 }, { expires: '1h' }),
    {
      'Give create too': writesNote(() => notes.increment({ id: 'a' }, { n: 1 }, { expires: '1h', create: true })),
      'leave expires out': writesNote(() => notes.increment({ id: 'a' }, { n: 1 })),
    },
  ],
]
