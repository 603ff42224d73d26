import { int32, int64, nullable, text, uint16, uint8 } from '@rowkey/codec'
import { copyTable, createMapper, type Mapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { expect } from 'vitest'
import { wrapped } from '../store/wrapped.js'
import { durations } from './model.js'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives } from './remedies.js'

// Conditions, increments, versions, expiry, and writes of several rows.

const columns = { id: text(), note: nullable(text()) }
const Notes = defineTable('notes', { columns: { ...columns, n: nullable(uint8()) }, key: ['id'], version: 'rev', ttl: '30d' })
const Bare = defineTable('bare', { columns, key: ['id'] })
const counts = { id: text(), hits: uint8(), note: nullable(text()) }
const Counted = defineTable('counted', { columns: counts, key: ['id'] })

const widestColumns = { id: text(), most: int32({ default: 0 }), bits: int64({ default: 0n }) }
const Widest = defineTable('widest', { columns: widestColumns, key: ['id'] })

const store = memory()
const db = createMapper(store)
await db.ensureTables([Notes, Bare, Counted, Widest])
const notes = db.repository(Notes)
const bare = db.repository(Bare)
const counted = db.repository(Counted)
const widest = db.repository(Widest)
await widest.put({ id: 'a' })
await counted.put({ id: 'a', hits: 1 })
const { version = '' } = await notes.insert({ id: 'a' })
const told = version.replace(/./g, 'A') // versions are of the moment; messages are compared
const fixed = createMapper(
  wrapped(store, {
    write: (batch) => batch.map(({ schema, row }) => ({ kind: 'conflict', current: row.with(schema.versionIndex, told) })),
  }),
).repository(Notes)
const silent = createMapper(wrapped(store, { write: (batch) => batch.map(() => ({ kind: 'conflict' })) })).repository(Notes)
const poor = wrapped(store, { capabilities: { conditions: 'version' } })
const one = createMapper(wrapped(store, { capabilities: { atomic: { scope: 'row', max: 1, isolated: true } } }))

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
const revision = async (): Promise<string> => (await notes.getOrThrow({ id: 'a' })).rev ?? ''

/** With another declaration of a table that has a row, whose row is still there afterwards. */
const declared =
  (Other: typeof Bare, use: (db: Mapper) => unknown): Remedy =>
  async () => {
    const own = createMapper(memory())
    await own.ensureTables([Bare])
    await own.repository(Bare).put({ id: 'before' })
    await own.ensureTables([Other])
    expect(await use(own)).toBeDefined()
    expect(await own.repository(Other).get({ id: 'before' })).toMatchObject({ id: 'before', note: null })
  }
const Versioned = defineTable('bare', { columns, key: ['id'], version: 'rev' })
const Expiring = defineTable('bare', { columns, key: ['id'], ttl: '30d' })
const versioned = (use: (rows: ReturnType<typeof versionedRows>) => unknown): Remedies => ({
  'Declare one with @Version() or { version }, and add the column with ensureTables()': declared(Versioned as never, (own) =>
    use(versionedRows(own)),
  ),
})
const versionedRows = (own: Mapper) => own.repository(Versioned)
const expiring = (use: (own: Mapper) => unknown): Remedies => ({
  "Declare the table with @Ttl('30d') or { ttl }, and add the column with ensureTables()": declared(Expiring as never, use),
})

export const writeErrors: readonly Provocation[] = [
  [
    'a row that was written in the meantime',
    () => fixed.update({ id: 'a' }, {}, { ifVersion: 'B' }),
    {
      'Read the row again and decide again': writesNote(async () => notes.update({ id: 'a' }, {}, { ifVersion: await revision() })),
      'use modify()': writesNote(() => notes.modify({ id: 'a' }, () => ({}))),
    },
  ],
  [
    'a row that was written in the meantime, on a store that does not return its version',
    () => silent.delete({ id: 'a' }, { ifVersion: 'B' }),
    {
      'Read the row again and decide again': async () => {
        await notes.delete({ id: 'a' }, { ifVersion: await revision() })
        expect(await notes.exists({ id: 'a' })).toBe(false)
        await notes.insert({ id: 'a' })
      },
    },
  ],
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
        const moved = await counted.fullScan().count()
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
    'an increment that may create its row, with a condition',
    () => counted.increment({ id: 'a' }, { hits: 1 }, { create: true, if: { hits: 1 } }),
    {
      'Give one of them': leaves(
        async () => {
          await counted.increment({ id: 'a' }, { hits: 1 }, { create: true })
          await counted.increment({ id: 'a' }, { hits: 1 }, { if: { hits: 2 } })
        },
        { hits: 3 },
      ),
    },
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
    () => notes.increment({ id: 'a' }, { n: 1 }, { ttl: '1h' }),
    {
      'Give create too': writesNote(() => notes.increment({ id: 'a' }, { n: 1 }, { ttl: '1h', create: true })),
      'leave ttl out': writesNote(() => notes.increment({ id: 'a' }, { n: 1 })),
    },
  ],
  [
    'a condition on a version that is not declared',
    () => bare.put({ id: 'a' }, { ifVersion: 'B' }),
    versioned(async (rows) => {
      const written = await rows.put({ id: 'a' })
      return rows.put({ id: 'a' }, { ifVersion: written.version ?? '' })
    }),
  ],
  ['modify without versions', () => bare.modify({ id: 'a' }, () => ({})), versioned((rows) => rows.modify({ id: 'before' }, () => ({})))],
  [
    'modify of a row that does not exist',
    () => notes.modify({ id: 'z' }, () => ({})),
    {
      'Create it with insert() or put()': gives(async () => {
        await notes.insert({ id: 'z' })
        await notes.put({ id: 'z' })
        await notes.modify({ id: 'z' }, () => ({ note: 'x' }))
        const { note } = await notes.getOrThrow({ id: 'z' })
        await notes.delete({ id: 'z' })
        return note
      }, 'x'),
    },
  ],
  [
    'a version in a patch',
    () => notes.update({ id: 'a' }, { rev: 'x' } as never),
    {
      'Leave it out of the patch': writesNote(() => notes.update({ id: 'a' }, {})),
      'To require a version, use the option ifVersion': writesNote(async () =>
        notes.update({ id: 'a' }, {}, { ifVersion: await revision() }),
      ),
    },
  ],
  [
    'an undefined version',
    () => notes.put({ id: 'a' }, { ifVersion: undefined as never }),
    {
      'Give the version of a row as it was read': writesNote(async () => notes.put({ id: 'a' }, { ifVersion: await revision() })),
      ...{
        'modify() adds one to a row that has none': declared(Versioned as never, async (own) => {
          await versionedRows(own).modify({ id: 'before' }, () => ({}))
          const { rev } = await versionedRows(own).getOrThrow({ id: 'before' })
          return versionedRows(own).put({ id: 'before' }, { ifVersion: rev ?? '' })
        }),
      },
    },
  ],
  [
    'an expiry that is not declared',
    () => bare.put({ id: 'a' }, { ttl: '1h' }),
    expiring((own) => own.repository(Expiring).put({ id: 'a' }, { ttl: '1h' })),
  ],
  ['a purge where nothing expires', () => db.purgeExpired(Bare), expiring((own) => own.purgeExpired(Expiring))],
  ['a purge that the store does not support', () => one.purgeExpired(Notes), 'the store does it'],
  [
    'two expiries',
    () => notes.put({ id: 'a' }, { ttl: '1h', expiresAt: null }),
    {
      'Give one of them': writesNote(async () => {
        await notes.put({ id: 'a' }, { expiresAt: null })
        await notes.put({ id: 'a' }, { ttl: '1h' })
      }),
    },
  ],
  [
    'an invalid expiry',
    () => notes.put({ id: 'a' }, { ttl: '1 hour' as never }),
    {
      "Give a whole number from 1 followed by ms, s, m, h, d or w, such as '30d', and at most 3,168 years": durations((ttl) =>
        notes.put({ id: 'e' }, { ttl: ttl as never }),
      ),
    },
  ],
  [
    'two rows in an atomic write on a store that can write one',
    () => one.write([one.repository(Bare).op.put({ id: 'a' }), one.repository(Bare).op.put({ id: 'b' })], { atomic: true }),
    {
      'Write fewer rows in one call': gives(async () => {
        await one.write([one.repository(Bare).op.put({ id: 'a' })], { atomic: true })
        await one.write([one.repository(Bare).op.put({ id: 'b' })], { atomic: true })
        return bare.fullScan().count()
      }, 2),
    },
  ],
  [
    'a load after its deadline',
    () => bare.load([{ id: 'a' }], { deadline: 0 }),
    { 'Load all rows again, and allow more time': gives(async () => (await bare.load([{ id: 'a' }], { deadline: 8e15 })).rows, 1) },
  ],
  [
    'one row twice in an atomic write',
    () => db.write([bare.op.put({ id: 'a' }), bare.op.delete({ id: 'a' })], { atomic: true }),
    {
      'Combine them into one write': gives(async () => {
        await db.write([bare.op.delete({ id: 'a' })], { atomic: true })
        return bare.exists({ id: 'a' })
      }, false),
    },
  ],
  [
    'an atomic insert of an existing row',
    () => db.write([bare.op.put({ id: 'b' }), notes.op.insert({ id: 'a' })], { atomic: true }),
    {
      'Use put() to replace it': writesNote(() => db.write([bare.op.put({ id: 'b' }), notes.op.put({ id: 'a' })], { atomic: true })),
      'another key': gives(async () => {
        await db.write([bare.op.put({ id: 'b' }), notes.op.insert({ id: 'other' })], { atomic: true })
        return notes.exists({ id: 'other' })
      }, true),
    },
  ],
  [
    'something that is not an operation',
    () => db.write([{ table: 'notes', kind: 'put' }]),
    { 'Make them with repository.op': writesNote(() => db.write([notes.op.put({ id: 'a' })])) },
  ],
  [
    'a condition on a store that cannot compare columns',
    () =>
      createMapper(poor)
        .repository(Bare)
        .delete({ id: 'b' }, { if: { note: 'x' } }),
    {
      'Use another store': gives(
        () => bare.delete({ id: 'none' }, { if: { note: 'x' } }).catch(({ code }: { code: string }) => code),
        'ROW_NOT_FOUND',
      ),
    },
  ],
  [
    'a condition on a store that cannot compare columns, in a table with versions',
    () =>
      createMapper(poor)
        .repository(Notes)
        .update({ id: 'a' }, { note: 'y' }, { if: { note: 'x' } }),
    {
      'Use modify()': writesNote(() =>
        createMapper(poor)
          .repository(Notes)
          .modify({ id: 'a' }, ({ note }) => (note === 'x' ? { note: 'y' } : undefined)),
      ),
      'another store': writesNote(() => notes.update({ id: 'a' }, { note: 'y' }, { if: { note: { isNull: true } } })),
    },
  ],
  [
    'something that is not rows to load',
    () => bare.load(5 as never),
    {
      'load() takes an iterable of rows, not 5': gives(async () => {
        const list = [{ id: 'l' }]
        return (await Promise.all([list, new Set(list), list.values()].map((given) => bare.load(given)))).map(({ rows }) => rows)
      }, [1, 1, 1]),
    },
  ],
]
