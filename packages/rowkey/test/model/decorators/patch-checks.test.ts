import { int32, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { Column, KeyColumn, Table, Version } from '#model'
import type { Adapter } from '#store/adapter'
import * as classValidator from 'class-validator'
import { IsDefined, IsIn, IsOptional, Length, Max, registerDecorator, ValidateIf, type ValidationArguments } from 'class-validator'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delegate } from '../../../src/conformance/delegate.js'
import { looksAtValueOnly } from '../../../src/mapper/rows/value-checks.js'
import { codeOf, refusalOf } from '../../../../../test/kit/refusal.js'
import { wrapped, type Overrides } from '../../../../../test/kit/wrapped.js'
import { issuesOf, on, open } from '../../../../../test/kit/checked.js'

describe('ROW-6: a change is checked with the whole row where a check may read other columns', () => {
  @Table('payments')
  class Payment {
    @KeyColumn(1, text()) id!: string
    @Column(text()) kind!: string
    @Column(text()) card!: string
    @Column(nullable(text())) note!: string | null
  }
  on(Payment, 'kind', IsDefined())
  on(
    Payment,
    'card',
    ValidateIf(({ kind }: Payment) => kind === 'card'),
    Length(4),
  )
  on(Payment, 'note', IsOptional(), Length(2))
  const cash = { id: 'a', kind: 'cash', card: '', note: null }
  const key = { id: 'a' }

  test('ROW-6: the condition of a check sees the columns that the patch does not set', async () => {
    const payments = await open(Payment)
    await payments.put(cash)
    expect(await issuesOf(() => payments.update(key, { kind: 'card' }))).toEqual(['card'])
    await payments.update(key, { card: '1', kind: 'cheque' })
    expect(await issuesOf(() => payments.update(key, { kind: 'card' }))).toEqual(['card'])
    await payments.update(key, { card: '1234' })
    await payments.update(key, { kind: 'card' })
    expect(await issuesOf(() => payments.update(key, { card: '1' }))).toEqual(['card'])
    expect(await issuesOf(() => payments.update(key, { note: 'y' }))).toEqual(['note'])
    await payments.update(key, { note: null })
    await payments.update(key, {})
    expect(await payments.get(key)).toEqual({ id: 'a', kind: 'card', card: '1234', note: null })
  })

  test('ROW-6 WRITE-20 WRITE-22: conditions and the returned row are those of the update', async () => {
    const payments = await open(Payment)
    expect(await codeOf(() => payments.update(key, { note: 'yes' }))).toBe('ROW_NOT_FOUND')
    await payments.put(cash)
    expect(await codeOf(() => payments.update(key, { note: 'yes' }, { if: { kind: 'card' } }))).toBe('CONDITION_FAILED')
    const { row } = await payments.update(key, { note: 'yes' }, { if: { kind: 'cash' }, returning: true })
    expect(row).toEqual({ ...cash, note: 'yes' })
    expect(row).toBeInstanceOf(Payment)
  })

  test('ROW-6: a row that another write changes in the meantime is checked again', async () => {
    const payments = await open(Payment)
    await payments.put(cash)
    const both = await Promise.allSettled([payments.update(key, { kind: 'card' }), payments.update(key, { card: '1234' })])
    const { kind, card } = await payments.getOrThrow(key)
    expect(kind === 'cash' || card.length >= 4, JSON.stringify(both)).toBe(true)
    await payments.put({ ...cash, card: '1234' })
    const contrary = [payments.update(key, { kind: 'card' }), payments.update(key, { card: '1' })]
    expect((await Promise.allSettled(contrary)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('ROW-6: db.write does not read the row; the error names the operation of a list', async () => {
    const db = createMapper(memory(), { classValidator })
    await db.ensureTables([Payment])
    const { ops } = db.repository(Payment)
    const operations = [ops.update(key, { note: 'yes' }), ops.upsert({ ...cash })]
    for (const operation of operations) {
      const { code, details } = await refusalOf(() => db.write([ops.put(cash), operation]))
      expect([code, details['column'], details['index']]).toEqual(['CHECK_NEEDS_ROW', 'card', 1])
    }
    await db.write([ops.put(cash), ops.update(key, {}), ops.delete(key)])
  })

  test('ROW-6: a store without conditions on columns refuses the change, and says what works there', async () => {
    const lacking = delegate(memory(), { capabilities: { ...memory().capabilities, conditions: 'version' } })
    const db = createMapper(lacking, { classValidator })
    await db.ensureTables([Payment])
    const payments = db.repository(Payment)
    await payments.put(cash)
    const { code, message } = await refusalOf(() => payments.update(key, { kind: 'card' }))
    expect(code).toBe('CHECK_NEEDS_ROW')
    expect(message).not.toContain('modify') // the table has no version
    expect(message).toContain('Put the whole row')
  })

  test('ROW-6: an error of the library without a reason is a refusal as well', async () => {
    const library = { ...classValidator, validate: () => Promise.resolve([{ property: 'note' }]) }
    const db = createMapper(memory(), { classValidator: library })
    await db.ensureTables([Payment])
    expect(await issuesOf(() => db.repository(Payment).put(cash))).toEqual(['note'])
  })

  test.each([
    ['undefined', () => undefined],
    ['a promise of undefined', () => Promise.resolve(undefined)],
    ['a promise of true', () => Promise.resolve(true)],
    ['a promise of [null]', () => Promise.resolve([null])],
    ['a list that validateSync returns, which takes a promise for success', (row: object) => classValidator.validateSync(row)],
  ])('ROW-6: a class-validator whose validate() returns %s is refused, and nothing is written', async (_, validate) => {
    const db = createMapper(memory(), { classValidator: { ...classValidator, validate: validate as never } })
    await db.ensureTables([Payment])
    const payments = db.repository(Payment)
    const { code, message } = await refusalOf(() => payments.put(cash))
    expect([code, message]).toEqual([
      'INVALID_OPTION',
      expect.stringMatching(/validate\(\) of .* returned .* not a promise of .* Pass the whole module/),
    ])
    expect(await payments.exists(key)).toBe(false)
  })

  test('ROW-6: a batch says what works for this method, store and table', async () => {
    @Table('versioned')
    class Versioned extends Payment {
      @Version() readonly rev!: string
    }
    const lacking = delegate(memory(), { capabilities: { ...memory().capabilities, conditions: 'version' } })
    const messageOn = async (store: Adapter, model: typeof Payment): Promise<string> => {
      const db = createMapper(store, { classValidator })
      await db.ensureTables([model])
      const { code, message } = await refusalOf(() => db.write([db.repository(model).ops.update(key, { kind: 'card' })]))
      expect(code).toBe('CHECK_NEEDS_ROW')
      return message
    }
    expect(await messageOn(memory(), Payment)).toContain('Call update() of the repository, or put the whole row.')
    expect(await messageOn(lacking, Payment)).toContain('Nothing was written. Put the whole row.')
    expect(await messageOn(lacking, Versioned)).toContain('Use modify(), or put the whole row.')
  })
})

describe('ROW-6: an update that reads no row', () => {
  const reading = (name: string | undefined): PropertyDecorator => {
    return ({ constructor: target }, propertyName) => {
      const validate = (_: unknown, { object }: ValidationArguments): boolean => Reflect.get(object, 'a') !== 1
      registerDecorator({ ...(name === undefined ? {} : { name }), target, propertyName: String(propertyName), validator: { validate } })
    }
  }
  /** How often a row is read by an update of a class that has these checks of `b`. */
  async function readsOf(decorators: readonly PropertyDecorator[], library: object = {}): Promise<number> {
    @Table('pairs')
    class Pair {
      @KeyColumn(1, text()) id!: string
      @Column(int32()) a!: number
      @Column(int32()) b!: number
    }
    on(Pair, 'b', ...decorators)
    let reads = 0
    const counted: Overrides = { get: (keys, inner, options) => (reads++, inner(keys, options)) }
    const db = createMapper(wrapped(memory(), counted), { classValidator: { ...classValidator, ...library } })
    await db.ensureTables([Pair])
    const pairs = db.repository(Pair)
    await pairs.put({ id: 'x', a: 0, b: 0 })
    reads = 0
    await pairs.update({ id: 'x' }, { a: 2 })
    return reads
  }

  test('ROW-6: is for checks of the library alone', async () => {
    expect(await readsOf([IsOptional(), Max(3), Max(3, { each: true, groups: ['x'], message: () => 'no' })])).toBe(0)
    expect(await readsOf([Max(3), reading('isUnusual')])).toBe(1)
    expect(await readsOf([reading(undefined)])).toBe(1)
    expect(await readsOf([ValidateIf(() => true), Max(3)])).toBe(1)
    expect(await readsOf([Max(3, { validateIf: () => true })])).toBe(1)
  })

  test('ROW-6: whatever else the module exports that the mapper gets', async () => {
    expect(await readsOf([reading('isUnusual')], { IS_UNUSUAL: 'isUnusual', max: 'isUnusual' })).toBe(1)
    expect(await readsOf([reading(undefined)], { default: undefined })).toBe(1)
  })

  test('ROW-6: runs neither checks nor messages of columns that it does not set', async () => {
    @Table('messages')
    class Message {
      @KeyColumn(1, text()) id!: string
      @Column(text()) note!: string
      @Column(int32()) count!: number
    }
    on(Message, 'id', Length(1, 9, { message: ({ value }) => (value as string).toUpperCase() }))
    on(Message, 'note', Length(2, 9, { message: ({ value }) => `'${(value as string).toUpperCase()}' is too short` }))
    on(Message, 'count', Max(5, { message: ({ value }) => `${(value as number).toFixed(1)} is too much` }))
    const messages = await open(Message)
    await messages.put({ id: 'x', note: 'yes', count: 1 })
    await messages.update({ id: 'x' }, { count: 2 })
    const { details } = await refusalOf(() => messages.update({ id: 'x' }, { count: 6 }))
    expect(details['issues']).toEqual([{ path: ['count'], message: '6.0 is too much' }])
  })

  test('ROW-6: an error of the library about no column is never dropped', async () => {
    @Table('odd')
    class Odd {
      @KeyColumn(1, text()) id!: string
      @Column(text()) note!: string
    }
    on(Odd, 'note', Length(1))
    const db = createMapper(memory(), { classValidator: { ...classValidator, validate: () => Promise.resolve([{ property: 'else' }]) } })
    await db.ensureTables([Odd])
    expect(await issuesOf(() => db.repository(Odd).update({ id: 'x' }, { note: 'y' }))).toEqual(['else'])
  })

  test('ROW-6: is not for a class with a column that is an accessor, because it may set or read others', async () => {
    class Blanking {
      id!: string
      card!: string
      private stored = ''
      get kind(): string {
        return this.stored
      }
      set kind(kind: string) {
        this.stored = kind
        if (kind === 'cash') this.card = ''
      }
    }
    on(Blanking, 'id', KeyColumn(1, text()))
    on(Blanking, 'card', Column(text()), Length(4))
    on(Blanking, 'kind', Column(text()))
    ;(Table('blanking') as (model: typeof Blanking) => void)(Blanking)
    const blanking = await open(Blanking)
    await blanking.put({ id: 'x', card: '1234', kind: 'card' })
    expect(await issuesOf(() => blanking.update({ id: 'x' }, { kind: 'cash' }))).toEqual(['card'])
  })

  test('ROW-6: the names of such checks are those of the library, none of which reads the object that it gets', () => {
    const own = Object.values(classValidator).filter((value) => typeof value === 'string')
    expect(own.length).toBeGreaterThan(100)
    for (const name of own) expect(looksAtValueOnly({ type: 'customValidation', name, propertyName: 'x' }), name).toBe(true)
    const folder = join(dirname(createRequire(import.meta.url).resolve('class-validator')), 'decorator')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
    expect(sources.length).toBeGreaterThan(100)
    for (const file of sources)
      expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/\.object\b|\['object'\]|\bobject\s*[,}].*=\s*arg/)
  })
})

describe('ROW-6: no write makes an invalid row', () => {
  interface Given {
    readonly a: number
    readonly b: number
    readonly c: number
  }
  @Table('triples')
  class Triple implements Given {
    @KeyColumn(1, text()) id!: string
    @Column(int32()) a!: number
    @Column(int32()) b!: number
    @Column(int32()) c!: number
    isGreat(): boolean {
      return this.a > 0
    }
    get sum(): number {
      return this.a + this.b + this.c
    }
  }
  const flag = (given: object, name: string): boolean => Reflect.get(given, name) === 1
  const checked =
    (validate: (value: unknown, args: ValidationArguments) => boolean | Promise<boolean>): PropertyDecorator =>
    ({ constructor: target }, propertyName) => {
      registerDecorator({ target, propertyName: String(propertyName), validator: { validate } })
    }
  const triple = ({ object }: ValidationArguments): Given => object as Given
  const whole = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ((value as Given).a + (value as Given).b > 1 ? { issues: [{ message: 'too many' }] } : { value }),
    },
  } as const
  /** As people write them: with helpers, methods, accessors and destructuring, none of which the text of a function shows. */
  const checks: readonly (readonly [string, PropertyDecorator[]])[] = [
    ['b', [ValidateIf((o: Given) => o.a === 1), Max(0)]],
    ['b', [ValidateIf((o: Given) => flag(o, 'c')), Max(0)]],
    ['b', [ValidateIf((o: Triple) => o.isGreat()), Max(0)]],
    ['b', [ValidateIf(({ a, ...rest }: Given) => a === 1 || rest.c === 0), Max(0)]],
    ['b', [ValidateIf((...[o, value]: [Given, unknown]) => o.a === 1 && value === 1), Max(0)]],
    ['b', [Max(0, { validateIf: (o: Given) => o.c === 1 })]],
    ['b', [checked((value, args) => Number(value) <= triple(args).a)]],
    ['b', [checked(async (value, args) => (await Promise.resolve(), Number(value) <= triple(args).c))]],
    ['c', [checked((_, { object }) => JSON.stringify(object).includes('"b":0') || flag(object, 'a'))]],
    ['sum', [Max(2)]],
    ['b', [Max(0)]],
    ['b', [IsOptional(), IsIn([0, 2])]],
  ]

  test.each([...checks.map((_, n) => n), -1])('ROW-6: of each row, patch and way to write, with check %i', async (n) => {
    @Table('triples', n < 0 ? { check: whole } : {})
    class Checked extends Triple {}
    if (n >= 0) on(Checked, (checks[n] as (typeof checks)[number])[0], ...(checks[n] as (typeof checks)[number])[1])
    const db = createMapper(memory(), { classValidator })
    await db.ensureTables([Checked])
    const triples = db.repository(Checked)
    const isValid = async (given: Given): Promise<boolean> => {
      const object = Object.assign(new Checked(), { id: 'x', ...given })
      if (n < 0) return !('issues' in whole['~standard'].validate(object))
      return (await classValidator.validate(object)).length === 0
    }
    const values = [0, 1, 2]
    const rows = values.flatMap((a) => values.flatMap((b) => values.map((c) => ({ a, b, c }))))
    const patches = [{ a: 1 }, { b: 0 }, { b: 1 }, { b: 2 }, { c: 0 }, { c: 1 }, { a: 0, b: 1 }, { b: 1, c: 0 }]
    const key = { id: 'x' }
    const tally = { written: 0, refused: 0 }
    for (const row of rows) {
      if (!(await isValid(row))) {
        for (const refused of [
          () => triples.insert({ ...key, ...row }),
          () => triples.put({ ...key, ...row }),
          () => triples.upsert({ ...key, ...row }),
        ])
          expect(await codeOf(refused), JSON.stringify(row)).toBe('VALIDATION_FAILED')
        continue
      }
      for (const patch of patches) {
        const after = { ...row, ...patch }
        const [name] = Object.keys(patch) as [keyof Given]
        const by = { [name]: after[name] - row[name] }
        const wholeAfter = { ...row, [name]: after[name] }
        const ways: readonly (readonly [() => unknown, Given])[] = [
          [() => triples.update(key, patch), after],
          [() => triples.upsert({ ...key, ...after }), after],
          [() => triples.increment(key, by), wholeAfter],
          [() => db.write([triples.ops.put({ ...key, ...after })]), after],
        ]
        for (const [write, expected] of ways) {
          await triples.put({ ...key, ...row })
          const code = await Promise.resolve(write()).then(
            () => 'written',
            (error: unknown) => (error as { code?: string }).code,
          )
          const now = await triples.getOrThrow(key)
          const valid = await isValid(expected)
          const what = `${JSON.stringify([row, patch])} ${String(write)}`
          expect(code, what).toBe(valid ? 'written' : 'VALIDATION_FAILED')
          expect({ a: now.a, b: now.b, c: now.c }, what).toEqual(valid ? expected : row)
          tally[valid ? 'written' : 'refused']++
        }
      }
    }
    expect(Math.min(tally.written, tally.refused)).toBeGreaterThan(10)
  })
})
