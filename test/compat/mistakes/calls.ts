// Mistakes in definitions and calls, each with what the compiler must say of it.
import {
  bucket,
  Column,
  createMapper,
  defineTable,
  desc,
  hashPrefix,
  int64,
  json,
  KeyColumn,
  memory,
  nullable,
  period,
  RowKey,
  Table,
  text,
  timestamp,
  uint32,
} from 'rowkey'

const columns = { room: text(), at: desc(timestamp('ms')), n: uint32(), note: nullable(text()), state: text({ default: 'x' }) }
const Messages = defineTable('messages', { columns, partition: ['room'], key: ['at', 'n'] })
const Plain = defineTable('plain', { columns: { id: text(), hits: uint32() }, key: ['id'], writes: 'plain' })
const Keys = defineTable('keys', { columns: { a: text() }, key: ['a'] })
const db = createMapper(memory())
const messages = db.repository(Messages)
const plain = db.repository(Plain)
const keys = db.repository(Keys)
const Logs = defineTable('logs', {
  columns: { host: text(), day: period('day', { of: 'at' }), at: timestamp('ms'), line: text() },
  partition: ['host', 'day'],
  key: ['at'],
})
const logs = db.repository(Logs)
@Table('notes')
class Note {
  declare [RowKey]?: { key: ['id']; value: 'body' }
  @KeyColumn(1, text()) id!: string
  @Column(text()) body!: string
}
const notes = db.repository(Note)
const at = new Date()
const key = { room: 'a', at, n: 1 }

//! Type 'string' is not assignable to type 'Date'
void messages.put({ room: 'a', at: '2026-01-01', n: 1 })
//! 'notee' does not exist in type
void messages.put({ ...key, notee: 'x' })
//! Property 'n' is missing in type '{ room: string; at: Date; }'
void messages.put({ room: 'a', at })
//! Type 'null' is not assignable to type 'string
void messages.put({ ...key, state: null })
//! Property 'insert' does not exist on type
void plain.insert({ id: 'a', hits: 1 })

//! Argument of type 'string' is not assignable to parameter of type '{ room: string; at: Date; n: number; }'
void messages.get('a')
//! Property 'n' is missing in type '{ room: string; at: Date; }' but required in type '{ room: string; at: Date; n: number; }'
void messages.get({ room: 'a', at })
//! Property 'n' is missing in type '{ room: string; at: Date; }' but required in type '{ room: string; at: Date; n: number; }'
void messages.update({ room: 'a', at }, { note: 'x' })
//! Property 'id' is missing in type '{}'
void notes.get({})
//! is missing the following properties from type '{ room: string; at: Date; n: number; }': room, at, n
void messages.get(messages.get(key))
//! 'undefined' is not assignable to
void messages.get(await messages.get(key))
//! 'n' does not exist in type
void messages.update(key, { n: 2 })
//! Type '{ n: number; }' is not assignable to type
void messages.modify(key, () => ({ n: 2 }))
//! 'note' does not exist in type
void messages.increment(key, { note: 1 })
//! 'a' does not exist in type
void keys.update({ a: 'x' }, { a: 'y' })

//! Property 'room' is missing in type '{ at: { gte: Date; }; }'
messages.scan({ at: { gte: at } })
//! Property 'room' is missing in type '{}'
messages.scan({})
//! Type 'undefined' is not assignable to type 'PartitionCondition<string>'
messages.scan({ room: undefined })
//! 'gte' does not exist in type
messages.scan({ room: { gte: 'a' } })
//! 'between' does not exist in type
messages.scan({ room: 'a', at: { between: [at, at] } })
//! Type 'number' is not assignable to type 'Date'
messages.scan({ room: 'a', at: { gte: 5 } })
//! 'startsWith' does not exist in type
messages.scan({ room: 'a', at: { startsWith: 'x' } })
//! 'isNull' does not exist in type
messages.scan({ room: 'a', n: { isNull: true } })
//! 'nn' does not exist in type
messages.scan({ room: 'a', nn: 5 })
//! Type '"up"' is not assignable to type '"asc" | "desc" | undefined'
messages.scan({ room: 'a' }, { order: { at: 'up' } })
//! 'note' does not exist in type 'KeyOrder<
messages.scan({ room: 'a' }, { order: { note: 'asc' } })
//! 'body' does not exist in type 'KeyOrder<"id">'
notes.scan({ id: 'a' }, { order: { body: 'asc' } })
//! 'note' does not exist in type
void messages.get({ ...key, note: null })
//! 'offset' does not exist in type
messages.scan({ room: 'a' }, { limit: 10, offset: 5 })
//! Type '"x"' is not assignable to type '"at" | "n" | "note" | "room" | "state"'
messages.scan({ room: 'a' }, { select: ['x'] })
//! Type 'Promise<string>' is not assignable to type 'string'
messages.scan({ room: 'a' }).page({ cursor: messages.scan({ room: 'a' }).cursorOf(key) })
//! is missing the following properties from type 'readonly Model[]'
void db.ensureTables(Messages)

//! Type '"b"' is not assignable to type '"a"'
defineTable('t', { columns: { a: text() }, key: ['b'] })
//! Type 'string' is not assignable to type 'readonly ["a", ..."a"[]]'
defineTable('t', { columns: { a: text() }, key: 'a' })
//! Source has 0 element(s) but target requires 1
defineTable('t', { columns: { a: text() }, key: [] })
//! Property 'key' is missing in type
defineTable('t', { columns: { a: text() } })
//! Type '"a"' is not assignable to type '"b"'
defineTable('t', { columns: { a: text(), b: text() }, partition: ['a'], key: ['a', 'b'] })
//! Type '"c"' is not assignable to type '"a" | "b"'
defineTable('t', { columns: { a: text(), b: text() }, partition: ['c'], key: ['a'] })
//! Type 'StringConstructor' is missing the following properties from type 'ColumnType<unknown, Trait>'
defineTable('t', { columns: { a: String }, key: ['a'] })
//! is not assignable to type 'ColumnType<unknown, Trait>'
defineTable('t', { columns: { a: text }, key: ['a'] })
//! Type 'Salt<"b">' is not assignable to type 'Salt<"a">'
defineTable('t', { columns: { a: text() }, key: ['a'], salt: bucket({ of: 'b', count: 4 }) })
//! Type 'Salt<"a" | "b">' is not assignable to type 'Salt<"a">'
defineTable('t', { columns: { a: text(), b: text() }, key: ['a'], salt: hashPrefix({ of: ['a', 'b'] }) })
//! Argument of type '{ of: "a"; }' is not assignable to parameter of type
defineTable('t', { columns: { a: text() }, key: ['a'], salt: bucket({ of: 'a' }) })
//! Type '{ of: string; count: number; }' is not assignable to type 'Salts<"a">
defineTable('t', { columns: { a: text() }, key: ['a'], salt: { of: 'a', count: 4 } })
//! Type '"90 days"' is not assignable to type
defineTable('t', { columns: { a: text() }, key: ['a'], ttl: '90 days' })
//! 'b' does not exist in type
defineTable('t', { columns: { a: text() }, key: ['a'], checks: { b: undefined } })
//! Type 'number' is not assignable to type 'string'
text({ default: 5 })
//! Type 'string' is not assignable to type 'number | RandomDefault'
uint32({ default: 'x' })
//! 'length' does not exist in type
text({ length: 5 })
//! Type '"string"' is not assignable to type '"bigint" | "number" | "text"
int64({ as: 'string' })
//! "m"' is not assignable to parameter of type '"ms" | "us" | "ns"'
timestamp('m')
//! Expected 1-2 arguments, but got 0
timestamp()
//! Type 'string' is not assignable to type 'number'
json<{ a: number }>({ default: { a: 'x' } })
//! JSON holds no Date, bigint, bytes, Map or function
json<{ at: Date }>()

//! Property 'lt' is missing in type '{ gte: Date; }'
logs.scan({ host: 'a', at: { gte: at } })
//! Property 'gte' is missing in type '{ lt: Date; }'
logs.scan({ host: 'a', at: { lt: at } })
//! Property 'at' is missing in type '{ host: string; }'
logs.scan({ host: 'a' })
//! Property 'at' is missing in type '{ host: string; day: { gte: Date; }; }'
logs.scan({ host: 'a', day: { gte: at } })
//! Property 'host' is missing in type '{ at: { gte: Date; lt: Date; }; }'
logs.scan({ at: { gte: at, lt: at } })
//! 'lin' does not exist in type
logs.scan({ host: 'a', at: { gte: at, lt: at }, lin: 'x' })
//! Property 'at' is missing in type '{ host: string; day: Date; }'
void logs.get({ host: 'a', day: at })
