import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  fixedBytes,
  fixedText,
  float32,
  float64,
  followedBy,
  kuduHash,
  hashPrefix,
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
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
  type ColumnType,
  type Salt,
  type Value,
} from '#codec'
import { defineTable, type TableSchema } from '#model'
import fc from 'fast-check'

/** A type and canonical values that it can hold. */
interface Sample {
  readonly type: (options: object) => ColumnType
  readonly values: fc.Arbitrary<Value>
  /** A default as the user gives it. */
  readonly initial?: unknown
}

const word = fc.string({ unit: 'grapheme', maxLength: 6 })
const integer = (bits: number, signed: boolean): fc.Arbitrary<number> =>
  fc.integer(signed ? { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 } : { min: 0, max: 2 ** bits - 1 })
const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

const samples: readonly Sample[] = [
  { type: text, values: word, initial: 'é\u0000' },
  { type: bytes, values: fc.uint8Array({ maxLength: 5 }), initial: new Uint8Array([0, 255]) },
  { type: (o) => fixedBytes(2, o), values: fc.uint8Array({ minLength: 2, maxLength: 2 }), initial: new Uint8Array([7, 0]) },
  { type: bool, values: fc.boolean(), initial: false },
  { type: uuid, values: fc.uuid(), initial: '00000000-0000-0000-0000-000000000000' },
  { type: (o) => uuid({ ...o, order: 'time' }), values: fc.uuid(), initial: '00000000-0000-1000-0000-000000000000' },
  { type: ulid, values: fc.ulid(), initial: 'ulid' },
  { type: ulid, values: fc.ulid(), initial: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' },
  {
    type: (o) => decimal(9, 2, o as { default: string }),
    values: fc.integer({ min: 100, max: 999_999_999 }).map((n) => `-${Math.floor(n / 100)}.${String(n % 100).padStart(2, '0')}`),
    initial: '0.50',
  },
  { type: (o) => decimal(38, 0, o as { default: string }), values: fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).map(String) },
  { type: int8, values: integer(8, true), initial: random(3) },
  { type: int16, values: integer(16, true), initial: -1 },
  { type: int32, values: integer(32, true), initial: 0 },
  { type: uint8, values: integer(8, false) },
  { type: uint16, values: integer(16, false) },
  { type: uint32, values: integer(32, false), initial: random(2 ** 32) },
  { type: int64, values: wide, initial: -(2n ** 63n) },
  { type: (o) => int64({ ...o, as: 'number' }), values: wide, initial: -5 },
  { type: uint64, values: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), initial: 2n ** 64n - 1n },
  { type: float32, values: fc.float(), initial: Infinity },
  { type: float64, values: fc.double(), initial: -0 },
  { type: (o) => timestamp('ms', o), values: fc.integer({ min: -8.64e15, max: 8.64e15 }), initial: new Date(5) },
  { type: (o) => timestamp('ms', { ...o, as: 'number' }), values: fc.integer({ min: -8.64e15, max: 8.64e15 }), initial: 'now' },
  { type: (o) => timestamp('ms', { ...o, as: 'bigint' }), values: fc.integer({ min: -8.64e15, max: 8.64e15 }), initial: 7n },
  { type: (o) => timestamp('us', o), values: wide, initial: 9n },
  { type: (o) => timestamp('ns', o), values: wide, initial: 'now' },
  { type: date, values: fc.integer({ min: -1e8, max: 1e8 }), initial: new Date(0) },
  { type: (o) => date({ ...o, as: 'number' }), values: fc.integer({ min: -1e8, max: 1e8 }), initial: 3 },
  { type: (o) => paddedText(4, { ...o, pad: 'x' }), values: fc.constantFrom('', 'a', 'xa', 'abcd') },
  { type: (o) => paddedText(4, { ...o, pad: '\0' }), values: fc.constantFrom('', 'a', 'abcd') },
  { type: (o) => separatedText('_', o), values: fc.constantFrom('', 'a-b') },
  { type: (o) => fixedText(3, o), values: fc.constantFrom('abc', '\0\0\0', 'aé'), initial: '000' },
  { type: (o) => dictionary({ tmall: 'm', taobao: 'b', 7: 's' }, o), values: fc.constantFrom('taobao', 'tmall', '7') },
  { type: (o) => reversed(text(o)), values: word, initial: 'abc' },
  { type: (o) => reversed(int64({ ...o, as: 'number' })), values: fc.bigInt({ min: 0n, max: 9999n }), initial: 12 },
]
const jsonSample: Sample = { type: json, values: fc.jsonValue().map((value) => JSON.stringify(value)) }

/** A column, once its place is known: that makes its physical name unique. */
interface RandomColumn {
  readonly typeAt: (place: number) => ColumnType
  readonly values: fc.Arbitrary<Value>
}

const column = (among: readonly Sample[]): fc.Arbitrary<RandomColumn> =>
  fc
    .record({
      sample: fc.constantFrom(...among),
      down: fc.boolean(),
      nulls: fc.constantFrom(undefined, 'first' as const, 'last' as const, 'followed' as const),
      letter: fc.constantFrom(undefined, 'a', 'z', 'A', '_'),
      initial: fc.boolean(),
    })
    .map(({ sample, down, nulls, letter, initial }) => ({
      values: nulls === undefined || nulls === 'followed' ? sample.values : fc.option(sample.values),
      typeAt(place) {
        const type = sample.type({
          ...(letter === undefined ? {} : { name: `${letter}${place}` }),
          ...(initial && sample.initial !== undefined ? { default: sample.initial } : {}),
        })
        const turned = down ? desc(type) : type
        if (nulls === 'followed') return followedBy(turned, '_|')
        return nulls === undefined ? turned : nullable(turned, { nulls })
      },
    }))

/** A schema, and rows of canonical values for its key. */
export interface RandomTable {
  readonly schema: TableSchema
  readonly keys: readonly (readonly Value[])[]
}

/** Any table that can be defined. */
export const randomTable: fc.Arbitrary<RandomTable> = fc
  .record({
    partition: fc.array(column(samples), { maxLength: 2 }),
    key: fc.array(column(samples), { maxLength: 3 }),
    values: fc.array(column([...samples, jsonSample]), { maxLength: 4 }),
    salts: fc.subarray(['hash', 'modulo', 'prefix', 'kudu'] as const),
    seed: fc.nat(5),
    writes: fc.constantFrom('plain' as const, 'conditional' as const),
    ttl: fc.constantFrom(undefined, '1ms' as const, '30d' as const),
    version: fc.constantFrom(undefined, 'rev', 'Version'),
    stores: fc.constantFrom({}, { kudu: { replicas: 3 }, cassandra: { b: [null, { d: 1, c: 'x' }], a: true } }),
  })
  .filter(({ partition, key }) => partition.length + key.length > 0)
  .chain(({ partition, key, values, salts, seed, writes, stores, ttl, version }) => {
    const keyColumns = [...partition, ...key]
    const columns = [...keyColumns, ...values].map(({ typeAt }, place) => [`column${place}`, typeAt(place)] as const)
    const names: readonly string[] = columns.map(([name]) => name)
    const schema: TableSchema = defineTable('random', {
      columns: Object.fromEntries(columns.toReversed()),
      partition: names.slice(0, partition.length),
      key: names.slice(partition.length, keyColumns.length) as [],
      salt: saltsOf(salts, seed, columns.slice(0, keyColumns.length)),
      writes,
      stores,
      ...(ttl === undefined ? {} : { ttl }),
      ...(version === undefined || writes === 'plain' ? {} : { version }),
    })
    const rows = fc.array(fc.tuple(...keyColumns.map((each) => each.values)), { minLength: 1, maxLength: 5 })
    return rows.map((keys) => ({ schema, keys }))
  })

/** Salt levels of different columns that are never null. */
function saltsOf(
  kinds: readonly ('hash' | 'modulo' | 'prefix' | 'kudu')[],
  seed: number,
  key: readonly (readonly [string, ColumnType])[],
): Salt[] {
  const free = key.filter(([, type]) => !type.nullable)
  const separator = seed % 2 === 0 ? {} : { separator: '_' }
  return kinds.flatMap((kind) => {
    const shapes = { modulo: /^(u?int\d+|timestamp|date)$/, kudu: /^(int\d+|timestamp|date|decimal|text|bytes)$/, hash: /./, prefix: /./ }
    const at = free.findIndex(([, type]) => shapes[kind].test(type.kind) && (kind !== 'kudu' || type.followedBy === undefined))
    const [name] = free.splice(at, at < 0 ? 0 : 1)[0] ?? []
    if (name === undefined) return []
    if (kind === 'kudu') return [kuduHash({ of: name, count: 7 + seed, seed })]
    if (kind === 'modulo') return [bucket({ of: name, modulo: 5 + seed, ...separator })]
    return [
      kind === 'hash' ? bucket({ of: name, count: 300, seed, ...separator }) : hashPrefix({ of: name, digits: 1 + seed, ...separator }),
    ]
  })
}
