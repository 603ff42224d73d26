import { json, nullable, text, uint8 } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { Check, Column, defineTable, KeyColumn, PartitionKey, schemaOf, Table, Version, type StandardSchema } from '@rowkey/model'
import * as classValidator from 'class-validator'
import { wrapped } from '../store/wrapped.js'
import type { Provocation } from './provocation.js'

const columns = { id: text(), note: nullable(text()) }
const Notes = defineTable('notes', { columns, key: ['id'], version: 'rev', ttl: '30d' })
const Bare = defineTable('bare', { columns, key: ['id'] })

const Counted = defineTable('counted', { columns: { id: text(), hits: uint8(), note: nullable(text()) }, key: ['id'] })

const finding = (...issues: { message: string; path?: PropertyKey[] }[]): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) },
})
const Checked = defineTable('checked', {
  columns,
  key: ['id'],
  check: finding({ message: 'Its parts do not fit.' }),
  checks: { id: finding({ message: 'No e-mail address.' }), note: finding({ message: 'Too short.', path: ['lines', 0] }) },
})

const CheckedVersion = defineTable('checked_version', { columns, key: ['id'], version: 'rev', check: finding({ message: 'No.' }) })

@Table('classy')
class Classy {
  @Check(() => undefined) @KeyColumn(1, text()) id!: string
}

@Table('payments')
class Payment {
  @KeyColumn(1, text()) id!: string
  @Check(classValidator.ValidateIf(({ kind }: Payment) => kind === 'card'), classValidator.Length(4)) @Column(text()) card!: string
  @Column(text()) kind!: string
}
@Table('visits')
class Visit {
  @PartitionKey(1, text()) site!: string
  @KeyColumn(2, text()) id!: string
}
@Table('forms')
class Form {
  @KeyColumn(1, text()) id!: string
  @Version() readonly rev!: string
  captcha?: string
  @Column(json<object>()) address!: object
}
for (const field of ['captcha', 'rev']) classValidator.IsString()(Form.prototype, field)
classValidator.ValidateNested()(Form.prototype, 'address')

const store = memory()
const db = createMapper(store)
await db.ensureTables([Notes, Bare, Checked, Counted, Visit])
const notes = db.repository(Notes)
const bare = db.repository(Bare)
const counted = db.repository(Counted)
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

export const writeErrors: readonly Provocation[] = [
  ['a row that was written in the meantime', () => fixed.update({ id: 'a' }, {}, { ifVersion: 'B' })],
  [
    'a row that was written in the meantime, on a store that does not return its version',
    () => silent.delete({ id: 'a' }, { ifVersion: 'B' }),
  ],
  ['a row that does not meet the condition', () => counted.update({ id: 'a' }, { hits: 1 }, { if: { hits: { gt: 5 } } })],
  ['a condition on a key column', () => counted.delete({ id: 'a' }, { if: { id: 'a' } as never })],
  ['a condition that is empty', () => counted.delete({ id: 'a' }, { if: {} })],
  ['an increment beyond the column', () => counted.increment({ id: 'a' }, { hits: 255 })],
  ['an increment by a fraction', () => counted.increment({ id: 'a' }, { hits: 0.5 })],
  ['an increment of text', () => counted.increment({ id: 'a' }, { note: 'x' } as never)],
  ['an increment of text in a table with versions', () => notes.increment({ id: 'a' }, { note: 'x' })],
  ['an increment of the version', () => notes.increment({ id: 'a' }, { rev: 'x' })],
  ['an increment by nothing', () => counted.increment({ id: 'a' }, {})],
  [
    'an increment that may create its row, with a condition',
    () => counted.increment({ id: 'a' }, { hits: 1 }, { create: true, if: { hits: 1 } }),
  ],
  ['an increment that creates a row with another key', () => counted.increment({ id: 'a' }, { hits: 1 }, { create: { id: 'b' } as never })],
  ['an increment in a batch of a table with checks', () => db.write([db.repository(Checked).op.upsert({ id: 'a' })])],
  ['a condition on a version that is not declared', () => bare.put({ id: 'a' }, { ifVersion: 'B' })],
  ['modify without versions', () => bare.modify({ id: 'a' }, () => ({}))],
  ['modify of a row that does not exist', () => notes.modify({ id: 'z' }, () => ({}))],
  ['a version in a patch', () => notes.update({ id: 'a' }, { rev: 'x' } as never)],
  ['an undefined version', () => notes.put({ id: 'a' }, { ifVersion: undefined as never })],
  ['an expiry that is not declared', () => bare.put({ id: 'a' }, { ttl: '1h' })],
  ['a purge where nothing expires', () => db.purgeExpired(Bare)],
  ['a purge that the store does not support', () => one.purgeExpired(Notes)],
  ['two expiries', () => notes.put({ id: 'a' }, { ttl: '1h', expiresAt: null })],
  ['an invalid expiry', () => notes.put({ id: 'a' }, { ttl: '1 hour' as never })],
  [
    'two rows in an atomic write on a store that can write one',
    () => one.write([one.repository(Bare).op.put({ id: 'a' }), one.repository(Bare).op.put({ id: 'b' })], { atomic: true }),
  ],
  ['a load after its deadline', () => bare.load([{ id: 'a' }], { deadline: 0 })],
  ['one row twice in an atomic write', () => db.write([bare.op.put({ id: 'a' }), bare.op.delete({ id: 'a' })], { atomic: true })],
  ['an atomic insert of an existing row', () => db.write([bare.op.put({ id: 'b' }), notes.op.insert({ id: 'a' })], { atomic: true })],
  ['something that is not an operation', () => db.write([{ table: 'notes', kind: 'put' }])],
  ['a row that fails its checks', () => db.repository(Checked).put({ id: 'a', note: '' })],
  ['checks of class-validator without it', () => createMapper(store).repository(schemaOf(Classy))],
  [
    'checks of another copy of class-validator',
    () =>
      createMapper(store, {
        classValidator: { ...classValidator, getMetadataStorage: () => new classValidator.MetadataStorage() },
      }).repository(Payment),
  ],
  ['checks of class-validator that cannot be run', () => createMapper(store, { classValidator }).repository(Form)],
  [
    'an update in a batch of a class with a check that may read other columns',
    () => {
      const checking = createMapper(store, { classValidator })
      return checking.write([checking.repository(Payment).op.update({ id: 'a' }, { card: '1' })])
    },
  ],
  [
    'an update with such a check, on a store that cannot compare columns',
    () => createMapper(poor, { classValidator }).repository(Payment).update({ id: 'a' }, { card: '1' }),
  ],
  [
    'an update in a batch on such a store',
    () => {
      const lacking = createMapper(poor)
      return lacking.write([lacking.repository(CheckedVersion).op.update({ id: 'a' }, { note: 'x' })])
    },
  ],
  [
    'a condition on a store that cannot compare columns',
    () =>
      createMapper(poor)
        .repository(Bare)
        .delete({ id: 'a' }, { if: { note: 'x' } }),
  ],
  [
    'a class-validator that tells no errors',
    () =>
      createMapper(store, { classValidator: { ...classValidator, validate: () => Promise.resolve(undefined as never) } })
        .repository(Payment)
        .put({ id: 'a', kind: 'card', card: '1' }),
  ],
  ['a key of a class, in part', () => db.repository(Visit).get({ site: 'x' })],
  ['a scan of a class that binds no partition', () => db.repository(Visit).scan({ id: 'x' }).page()],
  ['a scan of a class that binds nothing', () => createMapper(store, { classValidator }).repository(Payment).scan({}).page()],
  ['something that is not rows to load', () => bare.load(5 as never)],
]
