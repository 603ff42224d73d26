// Tested by proto.test.ts.
import { MalformedAnswer } from '../malformed-answer.js'
import { Reader } from './reader.js'
import { Writer } from './writer.js'

/** How one value is written: varint, eight bytes, or a length and bytes. */
type WireType = 0 | 1 | 2

/** A type of values. */
interface Kind<Value> {
  readonly wire: WireType
  readonly read: (reader: Reader) => Value
  // A method: kinds of all values are in one table.
  write(writer: Writer, value: Value): void
}

type Rule = 'required' | 'optional' | 'repeated'

/** A field of a message: its number, the type of its values, and how often it is there. */
interface Field<Value = unknown, Often extends Rule = Rule> {
  readonly number: number
  readonly kind: Kind<Value>
  readonly rule: Often
  readonly isPacked: boolean
}

/** The fields that plain objects of a type need: in camelCase, and those that are repeated are always there. */
type FieldsOf<Message> = {
  readonly [Name in keyof Message]-?: undefined extends Message[Name]
    ? Field<Exclude<Message[Name], undefined>, 'optional'>
    : Message[Name] extends readonly (infer Element)[]
      ? Field<Element, 'repeated'>
      : Field<Message[Name], 'required'>
}

/** What messages of a sort look like. Also a type of values: messages are in messages. */
export interface Shape<Message> extends Kind<Message> {
  /** By their numbers, from the greatest to the least, as they are written. */
  readonly fields: readonly (readonly [name: string, field: Field])[]
  readonly byNumber: ReadonlyMap<number, readonly [name: string, field: Field]>
  /** What a message begins with when it is read: empty lists. */
  readonly lists: readonly string[]
  readonly needed: readonly string[]
}

export const required = <Value>(number: number, kind: Kind<Value>): Field<Value, 'required'> => field(number, kind, 'required')
export const optional = <Value>(number: number, kind: Kind<Value>): Field<Value, 'optional'> => field(number, kind, 'optional')
export const repeated = <Value>(number: number, kind: Kind<Value>): Field<Value, 'repeated'> => field(number, kind, 'repeated')
export const packed = <Value>(number: number, kind: Kind<Value>): Field<Value, 'repeated'> => ({
  ...field(number, kind, 'repeated'),
  isPacked: true,
})

const field = <Value, Often extends Rule>(number: number, kind: Kind<Value>, rule: Often): Field<Value, Often> => ({
  number,
  kind,
  rule,
  isPacked: false,
})

export const int32: Kind<number> = { wire: 0, read: (reader) => reader.int32(), write: (writer, value) => writer.int32(value) }
export const uint32: Kind<number> = { wire: 0, read: (reader) => reader.uint32(), write: (writer, value) => writer.uint32(value) }
export const int64: Kind<bigint> = {
  wire: 0,
  read: (reader) => reader.int64(),
  write: (writer, value) => writer.varint(BigInt.asUintN(64, value)),
}
export const uint64: Kind<bigint> = { wire: 0, read: (reader) => reader.uint64(), write: (writer, value) => writer.varint(value) }
export const fixed64: Kind<bigint> = { wire: 1, read: (reader) => reader.fixed64(), write: (writer, value) => writer.fixed64(value) }
export const bool: Kind<boolean> = { wire: 0, read: (reader) => reader.bool(), write: (writer, value) => writer.uint32(value ? 1 : 0) }
export const text: Kind<string> = { wire: 2, read: (reader) => reader.text(), write: (writer, value) => writer.text(value) }
export const bytes: Kind<Uint8Array> = { wire: 2, read: (reader) => reader.bytes(), write: (writer, value) => writer.bytes(value) }

/** A name of an enum; a number without a name, of a newer server, is `#` and the number. */
export type Named<Numbers> = (keyof Numbers & string) | `#${number}`

/** Enums are read and written as {@link Named}. */
export function names<Numbers extends Readonly<Record<string, number>>>(numbers: Numbers): Kind<Named<Numbers>> {
  const byNumber = new Map(Object.entries<number>(numbers).map(([name, number]) => [number, name as Named<Numbers>]))
  return {
    wire: 0,
    read: (reader) => {
      const number = reader.int32()
      return byNumber.get(number) ?? `#${number}`
    },
    write: (writer, value) => writer.int32(value.startsWith('#') ? Number(value.slice(1)) : numbers[value]),
  }
}

/** The shape of messages that have these fields. */
export function message<Message>(all: FieldsOf<Message>): Shape<Message> {
  const fields = Object.entries<Field>(all as Readonly<Record<string, Field>>).sort(([, a], [, b]) => b.number - a.number)
  const shape: Shape<Message> = {
    wire: 2,
    read: (reader) => {
      const { end } = reader
      const length = reader.length()
      reader.end = reader.at + length
      const value = readMessage(shape, reader)
      reader.end = end
      return value
    },
    write: (writer, value) => {
      const before = writer.length
      writeMessage(shape, writer, value)
      writer.uint32(writer.length - before)
    },
    fields,
    byNumber: new Map(fields.map((entry) => [entry[1].number, entry])),
    lists: fields.filter(([, { rule }]) => rule === 'repeated').map(([name]) => name),
    needed: fields.filter(([, { rule }]) => rule === 'required').map(([name]) => name),
  }
  return shape
}

/** Writes a message without its length, before what has been written. */
export function writeMessage<Message>(shape: Shape<Message>, writer: Writer, value: Message): void {
  for (const [name, { number, kind, rule, isPacked }] of shape.fields) {
    const given = (value as Readonly<Record<string, unknown>>)[name]
    if (given === undefined) continue
    if (rule !== 'repeated') {
      kind.write(writer, given)
      writer.uint32((number << 3) | kind.wire)
      continue
    }
    const list = given as readonly unknown[]
    if (isPacked && list.length > 0) {
      const before = writer.length
      for (let index = list.length - 1; index >= 0; index--) kind.write(writer, list[index])
      writer.uint32(writer.length - before)
      writer.uint32((number << 3) | 2)
      continue
    }
    for (let index = list.length - 1; index >= 0; index--) {
      kind.write(writer, list[index])
      writer.uint32((number << 3) | kind.wire)
    }
  }
}

export function encode<Message>(shape: Shape<Message>, value: Message): Uint8Array {
  const writer = new Writer()
  writeMessage(shape, writer, value)
  return writer.finish()
}

/** @throws MalformedAnswer */
export const decode = <Message>(shape: Shape<Message>, from: Uint8Array): Message => readMessage(shape, new Reader(from))

/** Reads up to the reader's end. A field that is there twice counts once, the last one; one that nobody knows is passed over. */
function readMessage<Message>(shape: Shape<Message>, reader: Reader): Message {
  const value: Record<string, unknown> = {}
  for (const name of shape.lists) value[name] = []
  while (reader.at < reader.end) {
    const tag = reader.uint32()
    const wire = tag & 7
    const entry = shape.byNumber.get(tag >>> 3)
    if (entry === undefined) skip(reader, tag)
    else {
      const [name, { kind, rule }] = entry
      if (rule !== 'repeated') {
        if (wire !== kind.wire) throw wrongType(name, wire)
        value[name] = kind.read(reader)
      } else if (wire === kind.wire) (value[name] as unknown[]).push(kind.read(reader))
      else if (wire === 2) readPacked(kind, reader, value[name] as unknown[])
      else throw wrongType(name, wire)
    }
  }
  for (const name of shape.needed) if (value[name] === undefined) throw new MalformedAnswer(`its field ${name} is missing`)
  return value as Message
}

function readPacked(kind: Kind<unknown>, reader: Reader, list: unknown[]): void {
  const { end } = reader
  const length = reader.length()
  reader.end = reader.at + length
  while (reader.at < reader.end) list.push(kind.read(reader))
  reader.end = end
}

function skip(reader: Reader, tag: number): void {
  const wire = tag & 7
  if (tag >>> 3 === 0) throw new MalformedAnswer('it has a field of the number 0')
  if (wire === 0) reader.int32()
  else if (wire === 1) reader.skip(8)
  else if (wire === 2) reader.skip(reader.length())
  else if (wire === 5) reader.skip(4)
  // Groups are from before the protocol had messages in messages: Kudu has none.
  else throw wrongType(`number ${tag >>> 3}`, wire)
}

const wrongType = (field: string, wire: number): MalformedAnswer => new MalformedAnswer(`its field ${field} is of the wire type ${wire}`)
