import { nullable, text } from 'rowkey/codec'
import { createMapper, defineTable, type Mapper, memory } from 'rowkey'
import { expect } from 'vitest'
import { wrapped } from '../kit/wrapped.js'
import { durations } from './model.js'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives } from './remedies.js'

// Versions, expiry, and writes of several rows.

const columns = { id: text(), note: nullable(text()) }
const Notes = defineTable('notes', { columns, key: ['id'], version: 'rev', ttl: '30d' })
const Bare = defineTable('bare', { columns, key: ['id'] })

const store = memory()
const db = createMapper(store)
await db.ensureTables([Notes, Bare])
const notes = db.repository(Notes)
const bare = db.repository(Bare)
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
  "Declare the table with @Ttl('30d') or { ttl }, and add the column with ensureTables()": declared(Expiring, use),
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
    () => one.write([one.repository(Bare).ops.put({ id: 'a' }), one.repository(Bare).ops.put({ id: 'b' })], { atomic: true }),
    {
      'Write fewer rows in one call': gives(async () => {
        await one.write([one.repository(Bare).ops.put({ id: 'a' })], { atomic: true })
        await one.write([one.repository(Bare).ops.put({ id: 'b' })], { atomic: true })
        return bare.readAll().count()
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
    () => db.write([bare.ops.put({ id: 'a' }), bare.ops.delete({ id: 'a' })], { atomic: true }),
    {
      'Combine them into one write': gives(async () => {
        await db.write([bare.ops.delete({ id: 'a' })], { atomic: true })
        return bare.exists({ id: 'a' })
      }, false),
    },
  ],
  [
    'an atomic insert of an existing row',
    () => db.write([bare.ops.put({ id: 'b' }), notes.ops.insert({ id: 'a' })], { atomic: true }),
    {
      'Use put() to replace it': writesNote(() => db.write([bare.ops.put({ id: 'b' }), notes.ops.put({ id: 'a' })], { atomic: true })),
      'another key': gives(async () => {
        await db.write([bare.ops.put({ id: 'b' }), notes.ops.insert({ id: 'other' })], { atomic: true })
        return notes.exists({ id: 'other' })
      }, true),
    },
  ],
  [
    'something that is not an operation',
    () => db.write([{ table: 'notes', kind: 'put' }]),
    { 'Make them with repository.ops': writesNote(() => db.write([notes.ops.put({ id: 'a' })])) },
  ],
  [
    'a condition on a store that cannot compare columns',
    () =>
      createMapper(poor)
        .repository(Bare)
        .delete({ id: 'b' }, { if: { note: 'x' } }),
    {
      'Use another store': gives(
        () => bare.delete({ id: 'none' }, { if: { note: 'x' } }).catch((error: unknown) => (error as { code: string }).code),
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
