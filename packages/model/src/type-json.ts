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
  text,
  timestamp,
  toHex,
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

type Data = Readonly<Record<string, unknown>>

/** A column type as JSON, fields in a fixed order. Left out: the physical name, and `ordered`, which follows from the rest. */
export function typeToJSON(type: TypeData): Data {
  const { kind, desc, nullable, nulls, as, unit, precision, scale, order, width, pad, separator, codes, inner } = type
  const whole = {
    kind,
    desc,
    nullable,
    nulls,
    as,
    unit,
    precision,
    scale,
    order,
    width,
    pad,
    separator,
    codes,
    inner: inner === undefined ? undefined : typeToJSON(inner),
    default: type.default === undefined ? undefined : defaultToJSON(type.default),
  }
  return Object.freeze(Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)))
}

/**
 * The exact inverse of {@link typeToJSON}. It goes through the type constructors, so what they refuse cannot come in by JSON.
 *
 * @throws whatever they throw, `INVALID_VALUE` for bytes that are no hex, and TypeError for data that is no column type
 */
export function typeFromJSON(data: Data, physical: string | undefined): TypeData {
  const name = physical === undefined ? {} : { name: physical }
  const bare = construct(data, name)
  const made = data['default'] === undefined ? bare : construct(data, { ...name, default: defaultFromJSON(data['default'] as Data, bare) })
  const turned = data['desc'] === true ? desc(made) : made
  return data['nullable'] === true ? nullable(turned, { nulls: data['nulls'] as 'first' | 'last' }) : turned
}

// The options are checked by the constructor, not by the compiler.
type Construct = (options: never, data: Data) => TypeData
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
  reversed: (options: object, { inner }) => reversed(construct(inner as Data, options)),
}

function construct(data: Data, options: object): Made {
  const kind = data['kind'] as Kind
  if (!Object.hasOwn(constructors, kind)) throw new TypeError(`there is no column type '${kind}'`)
  return constructors[kind](options as never, data) as Made
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
function defaultFromJSON({ kind, below, value }: Data, type: TypeData): unknown {
  if (kind === 'now' || kind === 'ulid') return kind
  if (kind === 'random') return random(below as number)
  return values(type, 'default').fromValue(constantFromJSON(value))
}

function constantFromJSON(value: unknown): null | boolean | number | bigint | string | Uint8Array {
  if (typeof value !== 'object' || value === null) return value as boolean | number | string
  const [tag, data] = Object.entries(value)[0] as [string, string]
  if (tag === 'bigint') return BigInt(data)
  if (tag === 'number') return Number(data)
  if (tag === 'bytes') return fromHex(data)
  throw new TypeError(`there is no constant of type '${tag}'`)
}
