import { bool, bytes, desc, int64, keyLayout, nullable, reversed, text, timestamp, uint8, type ColumnType, type TypeWrapper } from '#codec'
import { Column, defineTable, KeyColumn, PartitionKey, schemaOf, Table } from '#model'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../../test/kit/refusal.js'
import { problemsOf } from '../problems-of.js'
import { withTypes } from '../../../../../test/kit/design-types.js'

// The decorators are called as legacy compilers do, in both modes: only those emit the types of fields.
type Legacy = (target: object, name: string, descriptor?: unknown) => void
const legacy = (decorator: unknown): Legacy => decorator as Legacy

/** A class with one more column, whose field has this design type. */
function modelOf(decorator: unknown): new () => object {
  class Model {}
  legacy(KeyColumn(1, text()))(Model.prototype, 'id')
  legacy(decorator)(Model.prototype, 'field')
  Table('inferred')(Model)
  return Model
}
const typeOf = async (decorator: unknown, type: unknown): Promise<unknown> => {
  const model = modelOf(decorator)
  const schema = await withTypes([[model.prototype as object, 'field', type]], () => schemaOf(model))
  return schema.columns.find(({ name }) => name === 'field')
}
const refusal = async (type: unknown, decorator: unknown = Column()): Promise<string> => {
  const model = modelOf(decorator)
  const [problem, second] = await withTypes([[model.prototype as object, 'field', type]], () => problemsOf(() => schemaOf(model)))
  expect([problem?.code, problem?.column, second]).toEqual(['INVALID_TYPE', 'field', undefined])
  return problem?.message ?? ''
}

describe('a column without a type has that of its field', () => {
  test.each<[unknown, ColumnType]>([
    [String, text()],
    [Date, timestamp('ms')],
    [BigInt, int64()],
    [Boolean, bool()],
    [Uint8Array, bytes()],
  ])('%o', async (type, expected) => {
    expect(await typeOf(Column(), type)).toEqual({ name: 'field', physical: 'field', role: 'value', type: expected })
    expect(await typeOf(KeyColumn(2), type)).toMatchObject({ role: 'key', type: expected })
    expect(await typeOf(PartitionKey(2), type).catch(() => 'PARTITION_NOT_FIRST')).toBe('PARTITION_NOT_FIRST')
    expect(await typeOf(KeyColumn(2, desc()), type)).toMatchObject({ type: desc(expected) })
    expect(await typeOf(Column(nullable()), type)).toMatchObject({ type: nullable(expected) })
    expect(await typeOf(KeyColumn(2, desc(nullable())), type)).toMatchObject({ type: desc(nullable(expected)) })
    expect(await typeOf(KeyColumn(2, nullable(desc())), type)).toMatchObject({ type: desc(nullable(expected)) })
  })
})

describe('a type that is not certain is refused, with the line to write', () => {
  class Money {}
  const Level = { low: 0, 0: 'low' } // as SWC names an enum
  test.each<[unknown, string]>([
    [Number, "its field is declared as Number, which int32(), uint32(), float64() and int64({ as: 'number' }) hold in different bytes"],
    [Object, 'its field is a union, an interface or may be null, which the compiler calls Object. Write nullable(text()), text<T>()'],
    [Array, 'its field is declared as Array. Write json<T[]>().'],
    [Buffer, 'its field is declared as Buffer, but values come back as Uint8Array. Declare it as Uint8Array.'],
    [Money, 'its field is declared as Money, which can be held in several ways. Write json<T>(), or another type.'],
    [Level, 'its field is an enum. Write text<T>() for texts, or a type of numbers such as uint8().'],
    [null, 'its field is an enum.'],
  ])('%o', async (type, message) => {
    expect(await refusal(type)).toContain(`column 'field' has no type, and ${message}`)
  })

  test('a field of which nothing is said', async () => {
    expect(await refusal(undefined)).toContain('and the compiler has emitted nothing about its field. Set emitDecoratorMetadata')
  })

  test('without reflect-metadata', () => {
    const [problem] = problemsOf(() => schemaOf(modelOf(Column())))
    expect(problem?.message).toContain(
      "and reflect-metadata is not loaded. Put import 'reflect-metadata' before the first import of a model",
    )
  })

  test('a standard decorator, whatever is loaded', async () => {
    class Standard {}
    const metadata: object = {}
    const standard = (decorator: unknown, context: object): unknown =>
      (decorator as (value: unknown, context: object) => unknown)(Standard, context)
    standard(KeyColumn(1), { kind: 'field', name: 'id', metadata, static: false, private: false })
    standard(Table('standard_ones'), { kind: 'class', name: 'Standard', metadata })
    Object.defineProperty(Standard, (Symbol as { metadata?: symbol }).metadata as symbol, { value: metadata })
    const problems = await withTypes([[Standard.prototype, 'id', String]], () => problemsOf(() => schemaOf(Standard)))
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "INVALID_TYPE column 'id' has no type, and standard decorators are told nothing about the type of a field. Give it one, as in @Column(text()).",
    ])
  })

  test('one wrapper twice', async () => {
    expect(await refusal(String, Column(desc(desc())))).toContain(
      "the type of column 'field' is wrapped twice. desc() cannot wrap this text column",
    )
    expect(await refusal(String, Column(nullable(nullable() as TypeWrapper)))).toContain('nullable() cannot wrap this text column')
  })

  test('the field of a parent, by its own class', async () => {
    abstract class Base {}
    legacy(KeyColumn(1))(Base.prototype, 'id')
    @Table('derived')
    class Derived extends Base {
      id!: string
    }
    expect((await withTypes([[Base.prototype, 'id', BigInt]], () => schemaOf(Derived))).columns[0]?.type).toEqual(int64())
  })
})

describe('desc() and nullable() without a type are for decorators only', () => {
  const given = desc(nullable()) as never
  test('defineTable, layouts and other types refuse them by their name', async () => {
    const message = async (run: () => unknown): Promise<string> => (await refusalOf(run)).message
    expect(await message(() => defineTable('abc', { columns: { a: given }, key: ['a'] }))).toContain(
      "the type of column 'a' is desc(nullable()) without a type. Give a column type such as text() or int64().",
    )
    expect(await message(() => keyLayout([['a', desc() as never]]))).toContain("the type of column 'a' is desc() without a type.")
    expect(await message(() => reversed(nullable() as never))).toContain('reversed() cannot wrap nullable() without a type.')
    expect(await message(() => nullable(given, { nulls: 'last' }))).toContain('nullable() cannot wrap desc(nullable()) without a type.')
    expect(await message(() => desc(undefined as never))).toContain('desc() cannot wrap undefined.')
    expect(await message(() => nullable(undefined as never))).toContain('nullable() cannot wrap undefined.')
  })

  test('a list of types can still be mapped', () => {
    expect([text(), uint8()].map(desc)).toEqual([desc(text()), desc(uint8())])
  })
})
