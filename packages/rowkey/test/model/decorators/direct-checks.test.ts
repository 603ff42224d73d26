import { int32, json, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { Check, Column, KeyColumn, schemaOf, Table, Version } from '#model'
import * as classValidator from 'class-validator'
import {
  Allow,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MetadataStorage,
  MinLength,
  registerDecorator,
  ValidateNested,
} from 'class-validator'
import { afterEach, describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../../test/kit/refusal.js'
import { issuesOf, on, open } from '../../../../../test/kit/checked.js'
import { withTypes } from '../../../../../test/kit/design-types.js'

abstract class Named {
  @Column(text()) name!: string
}
on(Named, 'name', Length(2, 5))

@Table('users')
class User extends Named {
  @KeyColumn(1, text()) id!: string
  @Column(text()) mail!: string
  @Column(nullable(int32())) age?: number | null
  @Version() readonly rev!: string
}
on(User, 'id', Length(2, 4))
on(User, 'mail', IsEmail())
on(User, 'age', IsOptional(), Max(150))

const good = { id: 'ann', name: 'Ann', mail: 'ann@example.org' }

afterEach(() => {
  expect(Object.hasOwn(classValidator.getMetadataStorage(), 'getTargetValidationMetadatas')).toBe(false)
})

describe('ROW-6: decorators of class-validator that stand on fields', () => {
  test('ROW-6: no write gets past them, and nothing is written', async () => {
    const db = createMapper(memory(), { classValidator })
    await db.ensureTables([User])
    const users = db.repository(User)
    const bad = { ...good, id: 'x', name: 'A' }
    await users.put(good)
    const writes: (() => unknown)[] = [
      () => users.insert(bad),
      () => users.put(bad),
      () => users.put(Object.assign(new User(), bad)),
      () => users.putMany([good, bad]),
      () => users.putMany([bad]),
      () => db.write([users.ops.insert(bad)]),
      () => db.write([users.ops.put(good), users.ops.put(bad)], { atomic: true }),
    ]
    for (const write of writes) expect(await issuesOf(write)).toEqual(['id', 'name'])
    const key = { id: 'ann' }
    const changes: (() => unknown)[] = [
      () => users.update(key, { mail: 'x', name: 'A' }),
      () => users.modify(key, () => ({ mail: 'x', name: 'A' })),
      () => db.write([users.ops.update(key, { mail: 'x', name: 'A' })]),
    ]
    for (const change of changes) expect((await issuesOf(change)).toSorted()).toEqual(['mail', 'name'])
    const rows = await users.scan({}, { unbounded: true }).toArray()
    expect(rows.map(({ id, name, mail }) => ({ id, name, mail }))).toEqual([good])
  })

  test('ROW-6: also where the schema of the class is the model, with a prefix, and in a subclass', async () => {
    @Table('admins')
    class Admin extends User {}
    for (const model of [schemaOf(User), Admin, schemaOf(Admin)]) {
      const db = createMapper(memory(), { classValidator, prefix: 'dev_' })
      await db.ensureTables([model])
      expect(await issuesOf(() => db.repository(model).put({ ...good, mail: 'x' }))).toEqual(['mail'])
      expect(await issuesOf(() => db.repository(schemaOf(User)).update({ id: 'ann' }, { mail: 'x' }))).toEqual(['mail'])
    }
  })

  test('ROW-6: together with @Check, all at once', async () => {
    @Table('both')
    class Both {
      @Check(Length(2, 4)) @KeyColumn(1, text()) id!: string
      @Column(text()) note!: string
    }
    on(Both, 'note', MinLength(2))
    expect((await issuesOf(async () => (await open(Both)).put({ id: 'x', note: 'y' }))).toSorted()).toEqual(['id', 'note'])
  })

  test('ROW-6: checks of all groups run, because a row has no group', async () => {
    @Table('grouped')
    class Grouped {
      @KeyColumn(1, text()) id!: string
    }
    on(Grouped, 'id', Length(2, 4, { groups: ['create'] }))
    expect(await issuesOf(async () => (await open(Grouped)).put({ id: 'x' }))).toEqual(['id'])
  })

  test('ROW-6: a check that returns a promise, under a name of the library, is waited for', async () => {
    @Table('colliding')
    class Colliding {
      @KeyColumn(1, text()) id!: string
    }
    const validator = { validate: async () => (await Promise.resolve(), false) }
    registerDecorator({ name: 'length', target: Colliding, propertyName: 'id', validator })
    expect(await issuesOf(async () => (await open(Colliding)).put({ id: 'x' }))).toEqual(['id'])
  })

  test('ROW-6: what a check throws or rejects with comes through, and nothing is written', async () => {
    const failure = new Error('no answer')
    const failures = [
      () => Promise.reject(failure),
      () => {
        throw failure
      },
    ]
    for (const fail of failures) {
      const validate = (note: unknown): boolean | Promise<boolean> => note !== '' || fail()
      @Table('failing')
      class Failing {
        @KeyColumn(1, text()) id!: string
        @Column(text()) note!: string
      }
      registerDecorator({ name: 'asks', target: Failing, propertyName: 'note', validator: { validate } })
      const failing = await open(Failing)
      await expect(failing.put({ id: 'x', note: '' })).rejects.toThrow('no answer')
      expect(await failing.exists({ id: 'x' })).toBe(false)
      await failing.put({ id: 'x', note: 'x' })
      await expect(failing.update({ id: 'x' }, { note: '' })).rejects.toThrow('no answer')
      expect(await failing.get({ id: 'x' })).toEqual({ id: 'x', note: 'x' })
    }
  })
})

describe('ROW-6: class-validator that is missing, or another copy', () => {
  test('ROW-6: repository() refuses a class with checks, its own or inherited', async () => {
    const db = createMapper(memory())
    for (const model of [User, schemaOf(User)]) {
      const { code, message } = await refusalOf(() => db.repository(model))
      expect([code, message]).toEqual([
        'INVALID_OPTION',
        expect.stringContaining('Pass the module to createMapper() as { classValidator }'),
      ])
    }
    @Table('inheriting')
    class Inheriting extends Named {
      @KeyColumn(1, text()) id!: string
    }
    expect(await codeOf(() => db.repository(Inheriting))).toBe('INVALID_OPTION')
  })

  test('ROW-6: what checks nothing does not need it', async () => {
    @Table('unchecked')
    class Unchecked {
      @KeyColumn(1, text()) id!: string
    }
    on(Unchecked, 'id', Allow(), IsOptional())
    for (const options of [{}, { classValidator }]) {
      const db = createMapper(memory(), options)
      await db.ensureTables([Unchecked])
      await db.repository(Unchecked).put({ id: 'x' })
    }
  })

  test('ROW-6: a program without class-validator has no checks of it', () => {
    const storage = Object.getOwnPropertyDescriptor(globalThis, 'classValidatorMetadataStorage') as PropertyDescriptor
    try {
      Reflect.deleteProperty(globalThis, 'classValidatorMetadataStorage')
      createMapper(memory()).repository(User)
      Object.assign(globalThis, { classValidatorMetadataStorage: null })
      createMapper(memory()).repository(User)
    } finally {
      Object.defineProperty(globalThis, 'classValidatorMetadataStorage', storage)
    }
  })

  test('ROW-6: a copy of the module that does not know the checks of the class is refused', async () => {
    const empty = new MetadataStorage()
    const copy = { ...classValidator, getMetadataStorage: () => empty }
    const db = createMapper(memory(), { classValidator: copy })
    @Table('checked')
    class Checked {
      @Check(Length(2, 4)) @KeyColumn(1, text()) id!: string
    }
    for (const model of [User, Checked]) {
      const { code, message } = await refusalOf(() => db.repository(model))
      expect([code, message]).toEqual(['INVALID_OPTION', expect.stringContaining('another copy')])
    }
  })
})

describe('ROW-6: checks of fields that are not columns', () => {
  test('ROW-6: a field that is not stored, and the version, cannot be checked: repository() refuses', async () => {
    @Table('forms')
    class Form {
      @KeyColumn(1, text()) id!: string
      captcha!: string
      repeated = ''
      @Version() readonly rev!: string
      label(): string {
        return this.id
      }
    }
    for (const field of ['captcha', 'repeated', 'rev', 'label']) on(Form, field, IsString())
    const { code, details, message } = await refusalOf(() => createMapper(memory(), { classValidator }).repository(Form))
    expect(code).toBe('INVALID_SCHEMA')
    expect(details['problems']).toMatchObject(['captcha', 'repeated', 'rev', 'label'].map((column) => ({ code: 'INVALID_CHECK', column })))
    expect(message).toContain("'captcha' has checks of class-validator, but is not a column: it is not stored")
  })

  test('ROW-6: a subclass for requests may have them', async () => {
    class SignUp extends User {
      captcha!: string
    }
    on(SignUp, 'captcha', IsString())
    const { captcha: _, ...row } = Object.assign(new SignUp(), good)
    await (await open(User)).put(row)
  })

  test('ROW-6: an accessor is checked with the columns that it reads', async () => {
    @Table('spans')
    class Span {
      @KeyColumn(1, text()) id!: string
      @Column(int32()) from!: number
      @Column(int32()) to!: number
      @Column(text({ default: '' })) note!: string
      get length(): number {
        return this.to - this.from
      }
    }
    on(Span, 'length', Max(10))
    const spans = await open(Span)
    expect(await issuesOf(() => spans.put({ id: 'a', from: 1, to: 12, note: '' }))).toEqual(['length'])
    await spans.put({ id: 'a', from: 1, to: 2, note: '' })
    expect(await issuesOf(() => spans.update({ id: 'a' }, { to: 12 }))).toEqual(['length'])
    expect(await issuesOf(() => spans.update({ id: 'a' }, { from: -12 }))).toEqual(['length'])
    expect(await issuesOf(() => spans.update({ id: 'a' }, { from: 1, to: 12 }))).toEqual(['length'])
    await spans.update({ id: 'a' }, { from: 2, to: 12 })
    await spans.update({ id: 'a' }, { note: 'x' })
  })
})

describe('ROW-6: nested objects', () => {
  class Country {
    code!: string
  }
  on(Country, 'code', Length(2, 2))
  class Address {
    city!: string
    country?: Country
  }
  /** A row has plain objects. */
  const plain = (data: object): Address => data as Address
  on(Address, 'city', MinLength(2))
  on(Address, 'country', IsOptional(), ValidateNested())
  @Table('customers')
  class Customer {
    @KeyColumn(1, text()) id!: string
    @Column(json<Address>()) address!: Address
    @Column(json<Address[]>()) others!: Address[]
  }
  on(Customer, 'address', ValidateNested())

  const types = [
    [Customer.prototype, 'address', Address],
    [Address.prototype, 'country', Country],
  ] as const

  test('ROW-6: are checked by the class that their field is declared with, in every depth', async () => {
    const customers = await withTypes(types, () => open(Customer))
    const customer = { id: 'a', address: plain({ city: 'Ulm', country: { code: 'DE' } }), others: [] }
    await customers.put(customer)
    expect(await customers.get({ id: 'a' })).toEqual(customer)
    expect(await issuesOf(() => customers.put({ ...customer, address: plain({ city: '' }) }))).toEqual(['address.city'])
    const wrong = plain({ city: 'Ulm', country: { code: 'DEU' } })
    expect(await issuesOf(() => customers.put({ ...customer, address: wrong }))).toEqual(['address.country.code'])
    expect(await issuesOf(() => customers.update({ id: 'a' }, { address: wrong }))).toEqual(['address.country.code'])
    await customers.update({ id: 'a' }, { others: [] })
  })

  test('ROW-6: which an accessor returns are checked as they are', async () => {
    @Table('accessors')
    class Accessor {
      @KeyColumn(1, text()) id!: string
      get address(): Address {
        return Object.assign(new Address(), { city: this.id })
      }
    }
    on(Accessor, 'address', ValidateNested())
    expect(await issuesOf(async () => (await open(Accessor)).put({ id: 'x' }))).toEqual(['address.city'])
  })

  test('ROW-6: data that pretends to have another class is checked like any other', async () => {
    const customers = await withTypes(types, () => open(Customer))
    for (const [text, path] of [
      ['{"__proto__":{"city":"Ulm"},"city":""}', 'address.city'],
      ['{"constructor":{"name":"x"},"city":""}', 'address.constructor'], // by which class-validator finds the class
    ] as const) {
      const address = plain(JSON.parse(text) as object)
      expect(await issuesOf(() => customers.put({ id: 'a', address, others: [] }))).toEqual([path])
    }
  })

  test('ROW-6: do not call messages of columns that an update does not set', async () => {
    @Table('companies')
    class Company {
      @KeyColumn(1, text()) id!: string
      @Column(text()) name!: string
      @Column(json<Address>()) address!: Address
    }
    on(Company, 'name', Length(2, 5, { message: ({ value }) => `${(value as string).toUpperCase()} has a wrong length` }))
    on(Company, 'address', ValidateNested())
    const companies = await withTypes([...types, [Company.prototype, 'address', Address]], () => open(Company))
    await companies.put({ id: 'a', name: 'Ann', address: plain({ city: 'Ulm' }) })
    await companies.update({ id: 'a' }, { address: plain({ city: 'Bonn' }) })
    expect(await issuesOf(() => companies.update({ id: 'a' }, { address: plain({}) }))).toEqual(['address.city'])
    expect(await companies.get({ id: 'a' })).toMatchObject({ name: 'Ann', address: { city: 'Bonn' } })
  })

  test('ROW-6: in lists are checked as class-validator does: it accepts lists without `each`, and checks every item', async () => {
    const customers = await withTypes(types, () => open(Customer))
    const valid = { city: 'Ulm' }
    const cases = [[], [valid], [valid, { city: '' }], [[valid]], [[{ city: '' }]], [null], ['x'], [{}], {}, 'x', 5, true, null, valid]
    /** As somebody would do it who calls the library. */
    const instanceOf = (data: unknown): unknown => {
      if (Array.isArray(data)) return data.map(instanceOf)
      return typeof data === 'object' && data !== null ? Object.assign(new Address(), data) : data
    }
    for (const address of cases) {
      const customer = Object.assign(new Customer(), { id: 'a', address: instanceOf(address), others: [] })
      const isValid = (await classValidator.validate(customer)).length === 0
      const given = { id: 'a', address: address as never, others: [] }
      await customers.put({ id: 'a', address: plain(valid), others: [] })
      for (const write of [() => customers.put(given), () => customers.update({ id: 'a' }, { address: given.address })]) {
        const code = await Promise.resolve(write()).then(() => 'written', (error: unknown) => (error as { code: string }).code) // prettier-ignore
        if (address === null) expect(code).not.toBe('written')
        else expect(code, JSON.stringify(address)).toBe(isValid ? 'written' : 'VALIDATION_FAILED')
      }
    }
  })

  test('ROW-6: of an unknown class cannot be checked: repository() refuses', async () => {
    const problemsOf = (): Promise<unknown> => refusalOf(() => createMapper(memory(), { classValidator }).repository(Customer))
    const problem = (column: string): unknown => ({ code: 'INVALID_SCHEMA', details: { problems: [{ code: 'INVALID_CHECK', column }] } })
    expect(await problemsOf()).toMatchObject(problem('address') as object)
    for (const type of [Object, Array, undefined, class Unchecked {}]) {
      expect(await withTypes([[Customer.prototype, 'address', type]], problemsOf)).toMatchObject(problem('address') as object)
    }
    expect(await withTypes([types[0]], problemsOf)).toMatchObject(problem('address.country') as object)
  })
})

test('ROW-6: a check may write to another table, and validate others', async () => {
  const users = await open(User)
  await users.put(good)
  @Table('nesting')
  class Nesting {
    @KeyColumn(1, text()) id!: string
    @Column(text()) note!: string
    @Column(int32()) count!: number
  }
  on(Nesting, 'count', IsInt())
  const validator = {
    validate: async () => {
      const errors = classValidator.validateSync(Object.assign(new User(), { id: 'x' }))
      await users.update({ id: 'ann' }, { mail: 'bob@example.org' })
      return errors.length === 3
    },
  }
  registerDecorator({ target: Nesting, propertyName: 'note', validator })
  const nesting = await open(Nesting)
  await nesting.put({ id: 'a', note: '', count: 1 })
  await nesting.update({ id: 'a' }, { note: 'x', count: 2 })
  expect(await nesting.get({ id: 'a' })).toMatchObject({ note: 'x', count: 2 })
})
