import { desc, text } from '#codec'
import * as model from '#model'
import { KeyColumn, Table, schemaOf } from '#model'
import { expect, test } from 'vitest'
import { problemsOf } from '../problems-of.js'

// As JavaScript calls the decorators: what the compiler would refuse.
type Untyped = (...args: unknown[]) => (...args: unknown[]) => never
const js = model as unknown as Record<'Column' | 'KeyColumn' | 'PartitionKey' | 'Table', Untyped>
const problems = (of: unknown): string[] => problemsOf(() => schemaOf(of as never)).map(({ code, message }) => `${code}: ${message}`)
const type = 'Give a column type such as text() or int64().'

test('a key column without its number', () => {
  @Table('forgotten')
  class Forgotten {
    @js.KeyColumn(text()) a!: string
    @js.PartitionKey(text()) b!: string
    @js.KeyColumn(desc(text())) c!: string
  }
  const message = (name: string): string =>
    `INVALID_ORDINAL: key column '${name}' has no number. Number the partition and key columns 1, 2, 3 and so on.`
  expect(problems(Forgotten)).toEqual([message('a'), message('b'), message('c')])
})

test('a type that is none, also undefined, which is not the same as leaving it out', () => {
  @Table('untyped')
  class Untyped {
    @KeyColumn(1, text()) id!: string
    @js.Column(undefined) a!: string
    @js.Column(text) b!: string
    @js.KeyColumn(2, undefined) c!: string
    @js.KeyColumn({}, null) d!: string
    @js.Column(desc) e!: string
  }
  expect(problems(Untyped)).toEqual([
    "INVALID_ORDINAL: key column 'd' has the number an object. Number the partition and key columns 1, 2, 3 and so on.",
    `INVALID_TYPE: the type of column 'a' is undefined. ${type}`,
    `INVALID_TYPE: the type of column 'b' is a function. ${type}`,
    `INVALID_TYPE: the type of column 'c' is undefined. ${type}`,
    `INVALID_TYPE: the type of column 'd' is null. ${type}`,
    `INVALID_TYPE: the type of column 'e' is a function. ${type}`,
  ])
})

test('a decorator that the compiler calls without metadata names its column, where there is one', () => {
  const decorated = (context: unknown) => () => js.Column(text())(undefined, context) as unknown
  const named = (name: unknown): unknown[] =>
    problemsOf(decorated({ kind: 'field', name, metadata: undefined })).map(({ code, column }) => [code, column])
  expect(named('a')).toEqual([['DECORATOR_MODE', 'a']])
  expect(named(Symbol('secret'))).toEqual([['DECORATOR_MODE', 'Symbol(secret)']])
})

test('@Table without a name, and with options that are none', () => {
  @js.Table()
  class NoName {
    @KeyColumn(1, text()) id!: string
  }
  @js.Table('options', { write: 'plain' })
  class Misspelt {
    @KeyColumn(1, text()) id!: string
  }
  @js.Table('options', null)
  class Null {
    @KeyColumn(1, text()) id!: string
  }
  expect(problems(NoName)).toEqual([expect.stringContaining('INVALID_NAME: the table cannot be called undefined.')])
  expect(problems(Misspelt)).toEqual(["INVALID_OPTION: there is no option 'write'. The options are writes, stores, check, retired."])
  expect(problems(Null)).toEqual(['INVALID_OPTION: the options of @Table are null. Give an object with writes, stores, check or retired.'])
})

test('a class without a name', () => {
  expect(problems(class {})).toEqual([expect.stringMatching(/^NOT_A_TABLE: a class without a name has no @Table of its own\. Put @Table/)])
  expect(() => schemaOf(class {})).toThrow('INVALID_SCHEMA: a class without a name has a problem:')
  expect(() => schemaOf(class Plain {})).toThrow('INVALID_SCHEMA: class Plain has a problem:')
})

test('a decorator that is called in neither mode is refused with an error of the package', () => {
  const column = js.Column(text())
  const codes = (call: () => unknown): string[] => problemsOf(call).map(({ code }) => code)
  expect(codes(() => column(undefined, { kind: 'field', name: 'x', metadata: undefined }))).toEqual(['DECORATOR_MODE'])
  expect(codes(() => column({ kind: 'field', key: 'x', placement: 'own' }))).toEqual(['DECORATOR_MODE'])
  expect(codes(() => column(undefined, 'x'))).toEqual(['DECORATOR_MODE'])
  expect(Object.getOwnPropertySymbols(Object).filter((symbol) => String(symbol).includes('metadata'))).toEqual([])
  expect(codes(() => js.Table('abc')(class {}, { kind: 'class', name: 'X', metadata: undefined }))).toEqual(['DECORATOR_MODE'])
})
