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
const versionedRows = (own: Mapper) => own.repository(Versioned)
const expiring = (use: (own: Mapper) => unknown): Remedies => ({
  "Declare the table with @Ttl('30d') or { ttl }, and add the column with ensureTables()": declared(Expiring, use),
})

export const writeErrors: readonly Provocation[] = [
  [
    'a row that was written in the meantime',
    () => fixed.update({ id: 'a' }, {}, { if: { rev: 'B' } }),
    {
      'Read the row again and decide again': writesNote(async () => notes.update({ id: 'a' }, {}, { if: { rev: await revision() } })),
      'use modify()': writesNote(() => notes.modify({ id: 'a' }, () => ({}))),
    },
  ],
  [
    'a row that was written in the meantime, on a store that does not return its version',
    () => silent.delete({ id: 'a' }, { if: { rev: 'B' } }),
    {
      'Read the row again and decide again': async () => {
        await notes.delete({ id: 'a' }, { if: { rev: await revision() } })
        expect(await notes.exists({ id: 'a' })).toBe(false)
        await notes.insert({ id: 'a' })
      },
    },
  ],
  [
    'a condition on a version that is not declared',
    () => bare.put({ id: 'a' }, { if: { rev: 'B' } as never }),
    {
      'The columns are id, note': gives(
        () => bare.put({ id: 'none' }, { if: { note: 'x' } }).catch((error: unknown) => (error as { code: string }).code),
        'ROW_NOT_FOUND',
      ),
    },
  ],
  [
    'modify without versions on a store that cannot compare columns',
    () =>
      createMapper(poor)
        .repository(Bare)
        .modify({ id: 'a' }, () => ({})),
    { 'Use another store': writesNote(() => bare.put({ id: 'm' }).then(() => bare.modify({ id: 'm' }, () => ({}))).then(() => bare.delete({ id: 'm' }))) }, // prettier-ignore
  ],
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
      'To require a version, name it in the condition (if)': writesNote(async () =>
        notes.update({ id: 'a' }, {}, { if: { rev: await revision() } }),
      ),
    },
  ],
  [
    'an undefined version',
    () => notes.put({ id: 'a' }, { if: { rev: undefined as never } }),
    {
      'Give that of the row as it was read': writesNote(async () => notes.put({ id: 'a' }, { if: { rev: await revision() } })),
      'null if it had none': declared(Versioned as never, (own) => versionedRows(own).put({ id: 'before' }, { if: { rev: null } })),
    },
  ],
  [
    'an expiry that is not declared',
    () => bare.put({ id: 'a' }, { expires: '1h' }),
    expiring((own) => own.repository(Expiring).put({ id: 'a' }, { expires: '1h' })),
  ],
  ['a purge where nothing expires', () => db.purgeExpired(Bare), expiring((own) => own.purgeExpired(Expiring))],
  ['a purge that the store does not support', () => one.purgeExpired(Notes), 'the store does it'],
  [
    'an invalid expiry',
    () => notes.put({ id: 'a' }, { expires: '1 hour' as never }),
    {
      "a whole number from 1 followed by ms, s, m, h, d or w, such as '30d', and at most 3,168 years": durations((expires) =>
        notes.put({ id: 'e' }, { expires: expires as never }),
      ),
      'a Date': writesNote(() => notes.put({ id: 'a' }, { expires: new Date(8e15) })),
      'null for never': writesNote(() => notes.put({ id: 'a' }, { expires: null })),
      "'keep' for that of the existing row": writesNote(() => notes.put({ id: 'a' }, { expires: 'keep' })),
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
    'a putMany of a stream after its deadline',
    () => bare.putMany([{ id: 'a' }].values(), { deadline: 0 }),
    {
      'Put all rows again, and allow more time': gives(
        async () => (await bare.putMany([{ id: 'a' }].values(), { deadline: 8e15 })).rows,
        1,
      ),
    },
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
    'something that is not rows to put',
    () => bare.putMany(5 as never),
    {
      'putMany() takes a list or another iterable of rows, not 5': gives(async () => {
        const list = [{ id: 'l' }]
        return (await Promise.all([list, new Set(list), list.values()].map((given) => bare.putMany(given)))).map(({ rows }) => rows)
      }, [1, 1, 1]),
    },
  ],
]
