import { createRequire } from 'node:module'
import { idl, type IdlField, type Type } from './idl.js'

// An independent opinion about bytes: npm `thrift` writes and reads what the interface of HBase says.

/** What npm `thrift` has, which comes without types. */
interface Protocol {
  writeMessageBegin(name: string, kind: number, sequence: number): void
  writeMessageEnd(): void
  writeFieldBegin(name: string, type: number, id: number): void
  writeFieldStop(): void
  writeListBegin(type: number, size: number): void
  writeMapBegin(keyType: number, valueType: number, size: number): void
  writeI64(value: unknown): void
  readMessageBegin(): { readonly fname: string; readonly mtype: number; readonly rseqid: number }
  readFieldBegin(): { readonly ftype: number; readonly fid: number }
  readListBegin(): { readonly size: number }
  readMapBegin(): { readonly size: number }
  readI64(): { readonly buffer: Buffer; readonly offset: number }
}
/** Its methods for what is no container, such as `writeI32` and `readBool`. */
type Scalars = Readonly<Record<string, ((value?: Value) => Value) | undefined>>
interface Thrift {
  readonly TBinaryProtocol: new (transport: unknown, strictRead: boolean, strictWrite: boolean) => Protocol
  readonly TFramedTransport: new (
    bytes: Buffer | undefined,
    flushed?: (bytes: Buffer) => void,
  ) => { flush(): void; readonly readPos: number }
  readonly Thrift: { readonly Type: Readonly<Record<string, number>> }
}
const require = createRequire(import.meta.url)
const thrift = require('thrift') as Thrift
const int64 = createRequire(require.resolve('thrift'))('node-int64') as new (bytes: Buffer) => unknown

/** A value: bytes are a Buffer, an i64 is a bigint, a map is a list of pairs. */
export type Value = boolean | number | bigint | string | Uint8Array | readonly Value[] | readonly (readonly [Value, Value])[] | Struct
/** By the names of the fields; what is undefined is absent. */
export interface Struct {
  readonly [field: string]: Value | undefined
}

const typeNumber = ({ kind }: Type): number => thrift.Thrift.Type[kind === 'binary' ? 'STRING' : kind.toUpperCase()] as number
const fieldsOf = (name: string): readonly IdlField[] => {
  const fields = idl.structs.get(name)
  if (fields === undefined) throw new Error(`there is no struct ${name}`)
  return fields
}

function scalar(protocol: Protocol, verb: 'read' | 'write', { kind }: Type, given?: Value): Value {
  const name = `${verb}${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`
  const methods = protocol as unknown as Scalars
  return methods[name]?.(given) as Value
}

function writeFields(protocol: Protocol, fields: readonly IdlField[], values: Struct): void {
  for (const name of Object.keys(values)) if (!fields.some((field) => field.name === name)) throw new Error(`there is no field ${name}`)
  for (const { id, name, type } of fields) {
    const value = values[name]
    if (value === undefined) continue
    protocol.writeFieldBegin(name, typeNumber(type), id)
    write(protocol, type, value)
  }
  protocol.writeFieldStop()
}

function write(protocol: Protocol, type: Type, value: Value): void {
  if (type.kind === 'struct') writeFields(protocol, fieldsOf(type.name), value as Struct)
  else if (type.kind === 'list' || type.kind === 'set') {
    const elements = value as readonly Value[]
    protocol.writeListBegin(typeNumber(type.element), elements.length)
    for (const element of elements) write(protocol, type.element, element)
  } else if (type.kind === 'map') {
    const pairs = value as readonly (readonly [Value, Value])[]
    protocol.writeMapBegin(typeNumber(type.key), typeNumber(type.value), pairs.length)
    for (const [key, each] of pairs) {
      write(protocol, type.key, key)
      write(protocol, type.value, each)
    }
  } else if (type.kind === 'i64') {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(value as bigint)
    protocol.writeI64(new int64(bytes))
  } else scalar(protocol, 'write', type, value)
}

function readFields(protocol: Protocol, fields: readonly IdlField[]): Struct {
  const values: Record<string, Value> = {}
  for (;;) {
    const { ftype, fid } = protocol.readFieldBegin()
    if (ftype === 0) return values
    const field = fields.find(({ id }) => id === fid)
    if (field === undefined || typeNumber(field.type) !== ftype) throw new Error(`there is no field ${fid} of type ${ftype}`)
    values[field.name] = read(protocol, field.type)
  }
}

function read(protocol: Protocol, type: Type): Value {
  if (type.kind === 'struct') return readFields(protocol, fieldsOf(type.name))
  if (type.kind === 'list' || type.kind === 'set') {
    const { size } = protocol.readListBegin()
    return Array.from({ length: size }, () => read(protocol, type.element))
  }
  if (type.kind === 'map') {
    const { size } = protocol.readMapBegin()
    return Array.from({ length: size }, () => [read(protocol, type.key), read(protocol, type.value)] as const)
  }
  if (type.kind === 'i64') {
    const { buffer, offset } = protocol.readI64()
    return Buffer.from(buffer).readBigInt64BE(offset)
  }
  const value = scalar(protocol, 'read', type)
  return value instanceof Uint8Array ? Buffer.from(value) : value
}

const CALL = 1
const REPLY = 2
const EXCEPTION = 3

/** A message, without the length that frames it. */
function message(name: string, kind: number, sequence: number, body: (protocol: Protocol) => void): Buffer {
  let bytes: Buffer = Buffer.alloc(0)
  const transport = new thrift.TFramedTransport(undefined, (flushed) => (bytes = flushed.subarray(4)))
  const protocol = new thrift.TBinaryProtocol(transport, true, true)
  protocol.writeMessageBegin(name, kind, sequence)
  body(protocol)
  protocol.writeMessageEnd()
  transport.flush()
  return bytes
}

const callOf = (name: string) => {
  const call = idl.calls.get(name)
  if (call === undefined) throw new Error(`there is no call ${name}`)
  return call
}

export const encodeCall = (name: string, sequence: number, args: Struct): Buffer =>
  message(name, CALL, sequence, (protocol) => writeFields(protocol, callOf(name).args, args))

/** An answer: `success` or one of what the call throws. */
export function encodeReply(name: string, sequence: number, result: Struct): Buffer {
  const { result: type, throws } = callOf(name)
  const success = type === undefined ? [] : [{ id: 0, name: 'success', type }]
  return message(name, REPLY, sequence, (protocol) => writeFields(protocol, [...success, ...throws], result))
}

/** What a gateway answers that failed. */
export const encodeException = (name: string, sequence: number, text: string, type: number): Buffer =>
  message(name, EXCEPTION, sequence, (protocol) => {
    const fields: readonly IdlField[] = [
      { id: 1, name: 'message', type: { kind: 'string' } },
      { id: 2, name: 'type', type: { kind: 'i32' } },
    ]
    writeFields(protocol, fields, { message: text, type })
  })

/** A request that was received. */
export interface ReceivedCall {
  readonly name: string
  readonly sequence: number
  readonly args: Struct
  /** How many bytes it has. */
  readonly length: number
}

/** The request at the beginning of bytes; undefined if it is not complete. */
export function decodeCall(bytes: Uint8Array): ReceivedCall | undefined {
  const transport = new thrift.TFramedTransport(Buffer.from(bytes))
  const protocol = new thrift.TBinaryProtocol(transport, true, true)
  try {
    const { fname, mtype, rseqid } = protocol.readMessageBegin()
    if (mtype !== CALL) throw new Error(`kind ${mtype} is no call`)
    return { name: fname, sequence: rseqid, args: readFields(protocol, callOf(fname).args), length: transport.readPos }
  } catch (error) {
    if ((error as Error).name === 'InputBufferUnderrunError') return undefined
    throw error
  }
}
