import { json, nullable, text } from 'rowkey/codec'
import {
  Check,
  Column,
  createMapper,
  defineTable,
  KeyColumn,
  memory,
  PartitionKey,
  RowKey,
  schemaOf,
  type StandardSchema,
  Table,
  Version,
} from 'rowkey'
import * as classTransformer from 'class-transformer'
import * as classValidator from 'class-validator'
import { expect } from 'vitest'
import { z } from 'zod'
import { wrapped } from '../kit/wrapped.js'
import { withDeclaredType } from './decorators.js'
import type { Provocation, Remedy } from './provocation.js'
import { gives } from './remedies.js'

// Checks of rows, and models that are classes.

const columns = { id: text(), note: nullable(text()) }
/** A check that finds this, if the value is so. */
const finding = (message: string, isWrong: (value: never) => boolean, path?: PropertyKey[]): StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => (isWrong(value as never) ? { issues: [path === undefined ? { message } : { message, path }] } : { value }),
  },
})
const noNote = finding('Its parts do not fit.', ({ note }: { note: string | null }) => note === '')
const Checked = defineTable('checked', {
  columns,
  key: ['id'],
  check: noNote,
  checks: {
    id: finding('No e-mail address.', (id: string) => !id.includes('@')),
    note: finding('Too short.', (note: string | null) => note === '', ['lines', 0]),
  },
})
const CheckedVersion = defineTable('checked_version', { columns, key: ['id'], version: 'rev', check: noNote })

@Table('classy')
class Classy {
  @Check(classValidator.Length(1)) @KeyColumn(1, text()) id!: string
}
@Table('payments')
class Payment {
  @KeyColumn(1, text()) id!: string
  @Check(classValidator.ValidateIf(({ kind }: Payment) => kind === 'card'), classValidator.Length(4)) @Column(text()) card!: string
  @Column(text()) kind!: string
}
@Table('payments')
class PaymentWithKey {
  declare [RowKey]?: { key: ['id']; value: 'card' | 'kind' }
  @KeyColumn(1, text()) id!: string
  @Column(text()) card!: string
  @Column(text()) kind!: string
}
@Table('visits')
class Visit {
  @PartitionKey(1, text()) site!: string
  @KeyColumn(2, text()) id!: string
}
@Table('visits')
class VisitWithKey {
  declare [RowKey]?: { partition: ['site']; key: ['id'] }
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

@Table('forms')
class FormOfColumns {
  @KeyColumn(1, text()) id!: string
  @Version() readonly rev!: string
  @Column(text()) captcha!: string
  @Check(z.object({ city: z.string() })) @Column(json<object>()) address!: object
}
@Table('forms')
class StoredForm {
  @KeyColumn(1, text()) id!: string
}
class RequestedForm extends StoredForm {
  captcha!: string
}
class Address {
  city!: string
}
// Decorators of class-validator are those of legacy compilers.
for (const model of [FormOfColumns, RequestedForm]) classValidator.IsString()(model.prototype, 'captcha')
classValidator.IsString()(Address.prototype, 'city')

/** With the class of the data as a compiler emits it. */
function formOfAddress(): new () => object {
  class FormOfAddress {}
  const decorate = (decorator: unknown, name: string) =>
    (decorator as (target: object, name: string) => void)(FormOfAddress.prototype, name)
  decorate(KeyColumn(1, text()), 'a')
  decorate(Column(json<object>()), 'b')
  decorate(classValidator.ValidateNested(), 'b')
  Table('forms_of_address')(FormOfAddress)
  return FormOfAddress
}

const store = memory()
const db = createMapper(store)
const validating = createMapper(store, { classValidator })
await db.ensureTables([Checked, CheckedVersion, Visit])
await validating.ensureTables([Payment])
const checked = db.repository(Checked)
const payments = validating.repository(Payment)
await checked.put({ id: 'a@b', note: 'x' })
await db.repository(CheckedVersion).put({ id: 'a', note: 'x' })
await payments.put({ id: 'a', kind: 'cash', card: '' })
await db.repository(Visit).put({ site: 'x', id: '1' })
const poor = wrapped(store, { capabilities: { conditions: 'version' } })
const lacking = createMapper(poor)

/** The store has a row of the model with its checks. */
const holds = (model: new () => object, row: object): Remedy =>
  gives(async () => {
    const own = createMapper(memory(), { classValidator })
    await own.ensureTables([model])
    await own.repository(model).put(row)
    return own.repository(model).readAll().count()
  }, 1)
const paid = { card: '1', kind: 'cash' }
const pays = (pay: () => Promise<unknown>): Remedy =>
  gives(
    async () => {
      await pay()
      return payments.get({ id: 'a' })
    },
    { id: 'a', ...paid },
  )
const forCompiler = (declared: () => Promise<unknown>): Remedy =>
  gives(async () => declared().catch((error: unknown) => (error as { code: string }).code))
const fixed: Remedy = gives(
  async () => {
    await checked.put({ id: 'a@b', note: 'fixed' })
    return checked.get({ id: 'a@b' })
  },
  { id: 'a@b', note: 'fixed' },
)

export const checkErrors: readonly Provocation[] = [
  [
    'an increment in a batch of a table with checks',
    () => db.write([checked.ops.upsert({ id: 'a@b' })]),
    {
      'Call upsert() of the repository': gives(
        async () => {
          await checked.upsert({ id: 'a@b' })
          return checked.get({ id: 'a@b' })
        },
        { id: 'a@b', note: 'x' },
      ),
      'put the whole row': gives(() => db.write([checked.ops.put({ id: 'a@b', note: 'x' })]).then(({ rows }) => rows), 1),
    },
  ],
  [
    'an update in a batch of a class with a check that may read other columns',
    () => validating.write([payments.ops.update({ id: 'a' }, { card: '1' })]),
    {
      'Call update() of the repository': pays(() => payments.update({ id: 'a' }, { card: '1' })),
      'put the whole row': pays(() => validating.write([payments.ops.put({ id: 'a', ...paid })])),
    },
  ],
  [
    'an update with such a check, on a store that cannot compare columns',
    () => createMapper(poor, { classValidator }).repository(Payment).update({ id: 'a' }, { card: '1' }),
    {
      'Put the whole row': pays(() =>
        createMapper(poor, { classValidator })
          .repository(Payment)
          .put({ id: 'a', ...paid }),
      ),
    },
  ],
  [
    'an update in a batch on such a store',
    () => lacking.write([lacking.repository(CheckedVersion).ops.update({ id: 'a' }, { note: 'x' })]),
    {
      'Use modify()': gives(async () => lacking.repository(CheckedVersion).modify({ id: 'a' }, () => ({ note: 'y' }))),
      'put the whole row': gives(
        () => lacking.write([lacking.repository(CheckedVersion).ops.put({ id: 'a', note: 'x' })]).then(({ rows }) => rows),
        1,
      ),
    },
  ],
  [
    'a row that fails its checks',
    () => checked.put({ id: 'a', note: '' }),
    { 'id: No e-mail address': fixed, 'note.lines.0: Too short': fixed, 'the row: Its parts do not fit': fixed },
  ],
  [
    'checks of class-validator without it',
    () => createMapper(store).repository(schemaOf(Classy)),
    { 'Pass the module to createMapper() as { classValidator }': holds(Classy, { id: 'a' }) },
  ],
  [
    'checks of another copy of class-validator',
    () =>
      createMapper(store, {
        classValidator: { ...classValidator, getMetadataStorage: () => new classValidator.MetadataStorage() },
      }).repository(Payment),
    { 'Pass the module whose decorators the class uses to createMapper() as { classValidator }': holds(Payment, { id: 'a', ...paid }) },
  ],
  [
    'checks of class-validator that cannot be run',
    () => validating.repository(Form),
    {
      'Make it a column': holds(FormOfColumns, { id: 'a', captcha: 'x', address: { city: 'x' } }),
      'declare it in a subclass for requests and leave it out of rows': async (said, error) => {
        const request = Object.assign(new RequestedForm(), { id: 'a', captcha: 5 })
        expect(classValidator.validateSync(request)).toHaveLength(1)
        await holds(StoredForm, { id: 'a' })(said, error)
      },
      'Remove the checks': holds(FormOfColumns, { id: 'a', captcha: 'x', address: { city: 'x' } }),
      'put @Type(() => Class) of class-transformer on it, without a discriminator, and pass that module to createMapper() as { classTransformer }':
        gives(async () => {
          const model = formOfAddress()
          withDeclaredType(Object, () => {
            classTransformer.Type(() => Address)(model.prototype as object, 'b')
          })
          const own = createMapper(memory(), { classValidator, classTransformer })
          await own.ensureTables([model])
          const forms = own.repository(model)
          await forms.put({ a: '1', b: { city: 'x' } })
          await expect(forms.put({ a: '2', b: { city: 5 } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
          return forms.readAll().count()
        }, 1),
      'Declare the field as that class and compile with emitDecoratorMetadata': gives(async () => {
        const model = withDeclaredType(Address, formOfAddress)
        const own = createMapper(memory(), { classValidator })
        const forms = withDeclaredType(Address, () => own.repository(model))
        await own.ensureTables([model])
        await forms.put({ a: '1', b: { city: 'x' } })
        await expect(forms.put({ a: '2', b: { city: 5 } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
        return forms.readAll().count()
      }, 1),
      'use a Standard Schema, as in @Check(z.object({ … }))': holds(FormOfColumns, { id: 'a', captcha: 'x', address: { city: 'x' } }),
    },
  ],
  [
    'a class-validator that tells no errors',
    () =>
      createMapper(store, { classValidator: { ...classValidator, validate: () => Promise.resolve(undefined as never) } })
        .repository(Payment)
        .put({ id: 'a', kind: 'card', card: '1' }),
    { "Pass the whole module: import * as classValidator from 'class-validator'": pays(() => payments.put({ id: 'a', ...paid })) },
  ],
  [
    'a key of a class, in part',
    () => db.repository(Visit).get({ site: 'x' }),
    {
      "A key of 'visits' needs all of (site, id)": gives(() => db.repository(Visit).exists({ site: 'x', id: '1' }), true),
      "The compiler only finds this in a class that declares its key: declare [RowKey]?: { partition: ['site']; key: ['id'] }": forCompiler(
        () =>
          // @ts-expect-error -- the id is missing
          db.repository(VisitWithKey).get({ site: 'x' }),
      ),
    },
  ],
  [
    'a scan of a class that binds no partition',
    () => db.repository(Visit).scan({ id: 'x' }).page(),
    {
      'Bind it': gives(() => db.repository(Visit).scan({ site: 'x' }).count(), 1),
      "The compiler only finds this in a class that declares its key: declare [RowKey]?: { partition: ['site']; key: ['id'] }": forCompiler(
        () =>
          // @ts-expect-error -- the site is missing
          db.repository(VisitWithKey).scan({ id: 'x' }).page(),
      ),
    },
  ],
  [
    'a scan of a class that binds nothing',
    () => payments.scan({}).page(),
    {
      "Bind 'id' by a value, in, a range or startsWith": gives(
        () => Promise.all(['a', { in: ['a'] }, { gte: 'a' }, { startsWith: 'a' }].map((id) => payments.scan({ id }).count())),
        [1, 1, 1, 1],
      ),
      'add an index that starts with the columns you query by': gives(async () => {
        const columns = { id: text(), card: text(), kind: text() }
        const ByKind = defineTable('payments_by_kind', { columns, key: ['id'], indexes: { byKind: { key: ['kind'] } } })
        await db.ensureTables([ByKind])
        await db.repository(ByKind).put({ id: 'a', ...paid })
        return db.repository(ByKind).scan({ kind: 'cash' }, { index: 'byKind' }).count()
      }, 1),
      'pass { unbounded: true }': gives(() => payments.scan({}, { unbounded: true }).count(), 1),
      "The compiler only finds this in a class that declares its key: declare [RowKey]?: { key: ['id']; value: 'card' | 'kind' }":
        forCompiler(() =>
          // @ts-expect-error -- the id is missing
          db.repository(PaymentWithKey).scan({}).page(),
        ),
    },
  ],
]
