import { isRowkeyError, json, nullable, text, uint32, type Json } from '#codec'
import { Bucket, Column, KeyColumn, PartitionKey, Table, schemaOf, type InvalidSchemaDetails, type Model } from '#model'
import { expect, test } from 'vitest'

// What the compiler refuses in one of the modes still has to be refused at run time, for JavaScript and for `any`.
type Untyped = (...args: unknown[]) => never

const problemsOf = (model: unknown): string[] => {
  try {
    schemaOf(model as Model)
  } catch (error) {
    if (!isRowkeyError(error, 'INVALID_SCHEMA')) throw error
    return (error.details as unknown as InvalidSchemaDetails).problems.map(({ code, column = '' }) => `${code} ${column}`.trim())
  }
  return []
}

test('a class without @Table', () => {
  class Plain {}
  class Columns {
    @KeyColumn(1, text()) id!: string
  }
  @Table('parents')
  class Parent {
    @KeyColumn(1, text()) id!: string
  }
  class Child extends Parent {}
  class ChildWithColumn extends Parent {
    @Column(text()) note!: string
  }
  expect(problemsOf(Plain)).toEqual(['NOT_A_TABLE'])
  expect(problemsOf(Columns)).toEqual(['NOT_A_TABLE'])
  expect(problemsOf(Child)).toEqual(['NOT_A_TABLE'])
  expect(problemsOf(ChildWithColumn)).toEqual(['NOT_A_TABLE'])
  expect(problemsOf(Parent)).toEqual([])
  expect(() => schemaOf(Child)).toThrow("class Child has no @Table of its own. Put @Table('name') on it")
})

test('no model at all', () => {
  expect(problemsOf(undefined)).toEqual(['NOT_A_TABLE'])
  expect(problemsOf({ name: 'x' })).toEqual(['NOT_A_TABLE'])
  expect(() => schemaOf(undefined as never)).toThrow('two modules may import each other')
})

test('@Table twice', () => {
  @Table('first_one')
  @Table('second_one')
  class Twice {
    @KeyColumn(1, text()) id!: string
  }
  expect(problemsOf(Twice)).toEqual(['REPEATED_TABLE'])
})

test('numbers: gap, duplicate, none, partition after key', () => {
  @Table('gaps')
  class Gap {
    @KeyColumn(1, text()) a!: string
    @KeyColumn(3, text()) b!: string
  }
  @Table('late_starts')
  class LateStart {
    @KeyColumn(2, text()) a!: string
  }
  @Table('duplicates')
  class Duplicate {
    @PartitionKey(1, text()) a!: string
    @KeyColumn(1, text()) b!: string
  }
  @Table('no_numbers')
  class NoNumber {
    @KeyColumn(0, text()) a!: string
    @KeyColumn(1.5, text()) b!: string
    @KeyColumn(1, text()) c!: string
  }
  @Table('partition_late')
  class PartitionLate {
    @KeyColumn(1, text()) a!: string
    @PartitionKey(2, text()) b!: string
  }
  expect(problemsOf(Gap)).toEqual(['ORDINAL_GAP b'])
  expect(problemsOf(LateStart)).toEqual(['ORDINAL_GAP a'])
  expect(problemsOf(Duplicate)).toEqual(['DUPLICATE_ORDINAL b'])
  expect(problemsOf(NoNumber)).toEqual(['INVALID_ORDINAL a', 'INVALID_ORDINAL b'])
  expect(problemsOf(PartitionLate)).toEqual(['PARTITION_NOT_FIRST b'])
  expect(() => schemaOf(Gap)).toThrow("key column 'b' has the number 3, but no column has 2")
})

test('a column is declared once in the chain', () => {
  class Base {
    @KeyColumn(1, text()) id!: string
  }
  @Table('redefined')
  class Redefined extends Base {
    @KeyColumn(1, text()) override id = ''
  }
  @Table('doubles')
  class Double {
    @KeyColumn(1, text()) id!: string
    @Column(text()) @Column(text()) note!: string
  }
  expect(problemsOf(Redefined)).toEqual(['REDEFINED_COLUMN id'])
  expect(() => schemaOf(Redefined)).toThrow("column 'id' is declared again in class Redefined")
  expect(problemsOf(Double)).toEqual(['REDEFINED_COLUMN note'])
})

const symbol: unique symbol = Symbol('symbol')

test('only public instance fields can be columns', () => {
  const Any = Column(text()) as unknown as Untyped
  @Table('no_fields')
  class NoFields {
    @KeyColumn(1, text()) id!: string
    @Any static shared: string
    @Any method(): void {}
    @Any get getter(): string {
      return ''
    }
    @Any set setter(_: string) {}
    @Any [symbol]: string | undefined
  }
  const all = ['NO_FIELD shared', 'NO_FIELD method', 'NO_FIELD getter', 'NO_FIELD setter', 'NO_FIELD Symbol(symbol)']
  expect(problemsOf(NoFields).sort()).toEqual(all.sort())
})

test('the fields of Babel, whose legacy decorators get a descriptor with an initializer', () => {
  type Legacy = (target: object, name: string | symbol, descriptor: PropertyDescriptor & { initializer?: unknown }) => void
  const babel = (decorator: unknown, target: object, name: string | symbol, descriptor: object): void =>
    (decorator as Legacy)(target, name, { configurable: true, enumerable: true, ...descriptor })
  class Fields {}
  babel(KeyColumn(1, text()), Fields.prototype, 'id', { writable: true, initializer: null })
  babel(Column(text()), Fields.prototype, 'note', { writable: true, initializer: () => 'x' })
  Table('babel_fields')(Fields)
  expect(problemsOf(Fields)).toEqual([])
  expect(schemaOf(Fields).columns.map(({ name }) => name)).toEqual(['id', 'note'])
  class Others {}
  babel(KeyColumn(1, text()), Others.prototype, 'id', { initializer: undefined })
  babel(Column(text()), Others.prototype, 'method', { writable: true, value: () => undefined })
  babel(Column(text()), Others.prototype, 'accessor', { get: () => undefined, set: undefined })
  babel(Column(text()), Others, 'shared', { writable: true, initializer: null })
  babel(Column(text()), Others.prototype, symbol, { writable: true, initializer: null })
  Table('babel_others')(Others)
  expect(problemsOf(Others)).toEqual(['NO_FIELD method', 'NO_FIELD accessor', 'NO_FIELD shared', 'NO_FIELD Symbol(symbol)'])
})

test('all problems of a class at once', () => {
  @Table('x y')
  @Bucket({ of: ['maybe', 'note'], count: 4 })
  class Everything {
    @KeyColumn(2, text()) id!: string
    @KeyColumn(3, nullable(uint32())) maybe!: number | null
    @KeyColumn(4, json()) data!: Json
    @Column(text({ name: 'the note' })) note!: string
  }
  expect(problemsOf(Everything)).toEqual([
    'ORDINAL_GAP id',
    'INVALID_NAME',
    'INVALID_NAME note',
    'NOT_A_KEY_TYPE data',
    'INVALID_SALT maybe',
    'INVALID_SALT note',
  ])
})
