import { nullable, text, timestamp, ulid } from '#codec'
import { Column, defineTable, KeyColumn, otherFields, PartitionKey, renameTable, rowKeyText, schemaOf, Table, Version } from '#model'
import { expect, test } from 'vitest'
import { problemsOf } from '../problems-of.js'

test('a class that cannot be constructed without arguments is refused before the first read', () => {
  @Table('requests')
  class Request {
    @KeyColumn(1, text()) id: string
    constructor(from: { id: string }) {
      this.id = from.id
    }
  }
  const [problem] = problemsOf(() => schemaOf(Request as never))
  expect(problem?.code).toBe('NOT_CONSTRUCTIBLE')
  expect(problem?.message).toContain("class Request cannot be constructed (Cannot read properties of undefined (reading 'id'))")
})

test('an instance that its constructor freezes is refused before the first read', () => {
  @Table('frozen')
  class Frozen {
    @KeyColumn(1, text()) id!: string
    constructor() {
      Object.freeze(this)
    }
  }
  const [problem] = problemsOf(() => schemaOf(Frozen))
  expect(problem).toMatchObject({ code: 'NOT_CONSTRUCTIBLE', column: 'id' })
  expect(problem?.message).toContain('must not freeze or seal the instance')
})

test('a class is constructed once, by whatever asks first', () => {
  let made = 0
  @Table('counted')
  class Counted {
    @KeyColumn(1, text()) id!: string
    constructor() {
      made++
    }
  }
  schemaOf(Counted)
  otherFields(Counted)
  schemaOf(Counted)
  expect(made).toBe(1)
})

test('other fields: own properties and accessors of all classes of the chain, columns excepted', () => {
  class Base {
    @KeyColumn(1, text()) id = ''
    cache = new Map<string, string>()
    get title(): string {
      return `event ${this.id}`
    }
    label(): string {
      return this.title
    }
  }
  @Table('others')
  class Other extends Base {
    static shared = 1
    @Column(text()) note!: string
    seen = false
    @Version() rev?: string | null = null
    set mark(_: string) {}
  }
  expect([...otherFields(Other)].sort()).toEqual(['cache', 'mark', 'seen', 'title'])
})

test('a schema has columns only', () => {
  const Events = defineTable('events', { columns: { id: text() }, key: ['id'] })
  expect(otherFields(Events).size).toBe(0)
})

test('rowKeyText: the declaration of [RowKey] that tells the compiler all about a class', () => {
  class Base {
    @KeyColumn(3, ulid({ default: 'ulid' })) no!: string
    cache = new Map<string, string>()
    get title(): string {
      return `event ${this.no}`
    }
  }
  @Table('row_keys')
  class Everything extends Base {
    @PartitionKey(1, text()) buyer!: string
    @KeyColumn(2, timestamp('ms')) at!: Date
    @Column(text({ default: 'new', name: 'st' })) state!: string
    @Column(nullable(text({ default: 'x' }))) note!: string | null
    @Version() rev?: string | null = null
  }
  @Table('row_keys', { writes: 'plain' })
  class Least {
    @KeyColumn(1, text({ name: 'its' })) "it's"!: string
  }
  expect(rowKeyText(schemaOf(Everything))).toBe(
    "declare [RowKey]?: { partition: ['buyer']; key: ['at', 'no']; value: 'note'; default: 'no' | 'state'; version: 'rev'; other: 'cache' | 'title' }",
  )
  expect(rowKeyText(renameTable(schemaOf(Least), 'renamed'))).toBe("declare [RowKey]?: { key: ['it\\'s']; writes: 'plain' }")
  expect(rowKeyText(defineTable('events', { columns: { id: text() }, key: ['id'] }))).toBeUndefined()
})
