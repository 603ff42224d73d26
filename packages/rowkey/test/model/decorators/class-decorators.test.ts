import { text, uuid } from '#codec'
import { Bucket, Column, defineTable, PartitionKey, RowKey, rowKeyText, Table, schemaOf } from '#model'
import { expect, test } from 'vitest'
import { Cart, LogEvent, OldWish, Order, Wish, twins } from './models.js'

test.each(twins)('decorators and defineTable: the same table, %#', (decorated, defined) => {
  const left = schemaOf(decorated)
  const right = schemaOf(defined)
  expect(JSON.stringify(left)).toBe(JSON.stringify(right))
  expect(left.fingerprints).toEqual(right.fingerprints)
})

test('decorators: key by number, values by physical name', () => {
  const names = (model: typeof Order | typeof Cart | typeof LogEvent): string[] => schemaOf(model).columns.map(({ name }) => name)
  expect(names(LogEvent)).toEqual(['host', 'event', 'at', 'seq', 'message'])
  expect(names(Order)).toEqual(['buyer', 'shopId', 'placedOn', 'no', 'raw', 'paid', 'tags'])
  expect(names(Cart)).toEqual(['shop', 'seq', 'created', 'mark'])
  expect(schemaOf(Order).partitionLength).toBe(2)
})

test('decorators: partition columns alone make a table by id', () => {
  @Table('profiles')
  class Profile {
    declare [RowKey]?: { partition: ['id']; key: []; value: 'name' }
    @PartitionKey(1, uuid()) id!: string
    @Column(text()) name!: string
  }
  const defined = defineTable('profiles', { columns: { id: uuid(), name: text() }, partition: ['id'], key: [] })
  expect(JSON.stringify(schemaOf(Profile))).toBe(JSON.stringify(defined))
  expect(rowKeyText(schemaOf(Profile))).toBe("declare [RowKey]?: { partition: ['id']; key: []; value: 'name' }")
})

test('decorators: siblings do not see each other', () => {
  expect(schemaOf(Cart).columns.map(({ name }) => name)).not.toContain('user')
  expect(schemaOf(Wish).columns.map(({ name }) => name)).not.toContain('mark')
  expect(schemaOf(Wish).columns.map(({ name }) => name)).not.toContain('reason')
  expect(schemaOf(Cart).salt).toEqual([])
})

test('decorators: a subclass takes over the salt', () => {
  expect(schemaOf(OldWish).salt).toEqual(schemaOf(Wish).salt)
  expect(schemaOf(OldWish).salt).toHaveLength(1)
})

test('decorators: a salt of its own replaces that of the parent', () => {
  @Table('cold_wishes')
  @Bucket({ of: 'user', count: 8 })
  class ColdWish extends Wish {}
  expect(schemaOf(ColdWish).salt.map(({ count }) => count)).toEqual([8])
})

test('schemaOf: compiled once; a schema is returned as it is', () => {
  const schema = schemaOf(LogEvent)
  expect(schemaOf(LogEvent)).toBe(schema)
  expect(schemaOf(schema)).toBe(schema)
})

test('decorators: the class stays an ordinary class', () => {
  const event = new LogEvent()
  event.host = 'web-1'
  expect({ ...event }.host).toBe('web-1')
  expect(Object.keys(LogEvent)).toEqual([])
})
