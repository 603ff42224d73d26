import {
  bool,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  fixedBytes,
  float32,
  float64,
  fromHex,
  isPlainObject,
  int16,
  int32,
  int64,
  int8,
  json,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  show,
  text,
  timestamp,
  toHex,
  typeFields,
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
  values,
  type Default,
  type Kind,
  type TypeData,
} from '@rowkey/codec'
import { Malformed, unknownTo } from './malformed-json.js'

type Data = Readonly<Record<string, unknown>>

/** A column type as JSON, fields in a fixed order. Left out: the physical name, and `ordered`, which follows from the rest. */
export function typeToJSON(type: TypeData): Data {
  return Object.freeze(Object.fromEntries(typeFields(type).map(([field, value]) => [field, fieldToJSON(field, value)])))
}

function fieldToJSON(field: string, value: unknown): unknown {
  if (field === 'inner') return typeToJSON(value as TypeData)
  return field === 'default' ? defaultToJSON(value as Default) : value
}

/**
 * The exact inverse of {@link typeToJSON}. It goes through the type constructors, so what they refuse cannot come in by JSON.
 *
 * @param path where the type is in its schema's JSON
 * @throws Malformed for what is unknown; whatever the constructors throw, and `INVALID_VALUE` for bytes that are no hex
 */
export function typeFromJSON(data: Data, physical: string | undefined, path: string): TypeData {
  const name = physical === undefined ? {} : { name: physical }
  const bare = construct(data, name, path)
  const given = data['default']
  const made = given === undefined ? bare : construct(data, { ...name, default: defaultFromJSON(given, bare, `${path}.default`) }, path)
  const turned = data['desc'] === true ? desc(made) : made
  return data['nullable'] === true ? nullable(turned, { nulls: (data['nulls'] ?? 'first') as 'first' | 'last' }) : turned
}

// The options are checked by the constructor, not by the compiler.
type Construct = (options: never, data: Data, path: string) => TypeData
type Made = ReturnType<typeof text>

// A table over all kinds: a new kind in the codec does not compile until it is here.
const constructors: Readonly<Record<Kind, Construct>> = {
  text,
  bytes,
  bool,
  ulid,
  json,
  int8,
  int16,
  int32,
  uint8,
  uint16,
  uint32,
  float32,
  float64,
  int64: (options: object, { as }) => int64({ ...options, as: as as 'bigint' }),
  uint64: (options: object, { as }) => uint64({ ...options, as: as as 'bigint' }),
  date: (options: object, { as }) => date({ ...options, as: as as 'Date' }),
  timestamp: (options: object, { unit, as }) => timestamp(unit as 'ms', { ...options, as: as as 'Date' }),
  uuid: (options: object, { order }) => uuid(order === undefined ? options : { ...options, order: order as 'time' }),
  decimal: (options: object, { precision, scale }) => decimal(precision as number, scale as number, options),
  fixedBytes: (options: object, { width }) => fixedBytes(width as number, options),
  paddedText: (options: object, { width, pad }) => paddedText(width as number, { ...options, with: pad as string }),
  separatedText: (options: object, { separator }) => separatedText(separator as string, options),
  dictionary: (options: object, { codes }) => dictionary(Object.fromEntries(codes as [string, string][]), options),
  reversed: (options: object, { inner }, path) => reversed(construct(inner, options, `${path}.inner`)),
}

function construct(given: unknown, options: object, path: string): Made {
  const data = objectAt(path, given)
  const kind = data['kind']
  if (typeof kind !== 'string' || !Object.hasOwn(constructors, kind)) throw unknownTo(`${path}.kind`, kind)
  return constructors[kind as Kind](options as never, data, path) as Made
}

function objectAt(path: string, given: unknown): Data {
  if (isPlainObject(given)) return given
  throw given === undefined ? new Malformed(path, 'is missing') : new Malformed(path, `is ${show(given)}, not an object`)
}

/** JSON has neither bigint nor bytes nor NaN nor -0: they are written as objects with their type as the name. */
function defaultToJSON(initial: Default): Data {
  if (initial.kind === 'random') return { kind: 'random', below: initial.below }
  if (initial.kind !== 'constant') return { kind: initial.kind }
  const { value } = initial
  if (typeof value === 'bigint') return { kind: 'constant', value: { bigint: String(value) } }
  if (value instanceof Uint8Array) return { kind: 'constant', value: { bytes: toHex(value) } }
  if (Object.is(value, -0)) return { kind: 'constant', value: { number: '-0' } }
  if (typeof value === 'number' && !Number.isFinite(value)) return { kind: 'constant', value: { number: String(value) } }
  return { kind: 'constant', value }
}

/** A default as the constructors take it. */
function defaultFromJSON(given: unknown, type: TypeData, path: string): unknown {
  const { kind, below, value } = objectAt(path, given)
  if (kind === 'now' || kind === 'ulid') return kind
  if (kind === 'random') return random(below as number)
  if (kind === 'constant' && value === undefined) throw new Malformed(`${path}.value`, 'is missing')
  if (kind === 'constant') return values(type, 'default').fromValue(constantFromJSON(value, `${path}.value`))
  throw unknownTo(`${path}.kind`, kind)
}

/** The digits of a 64-bit integer, and its sign: more of them would be work, and no default. */
const mostDigits = 20

function constantFromJSON(value: unknown, path: string): null | boolean | number | bigint | string | Uint8Array {
  if (typeof value !== 'object' || value === null) return value as boolean | number | string
  const [tag = '', data] = Object.entries(value)[0] ?? []
  if (!['bigint', 'number', 'bytes'].includes(tag)) throw unknownTo(`${path}.${tag}`)
  if (typeof data !== 'string') throw new Malformed(`${path}.${tag}`, `is ${show(data)}, not a text`)
  if (tag === 'bytes') return fromHex(data)
  if (data.length > mostDigits) throw new Malformed(`${path}.${tag}`, `is ${show(data)}, which is too long`)
  return tag === 'bigint' ? BigInt(data) : Number(data)
}
