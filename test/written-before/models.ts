import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  defineTable,
  desc,
  dictionary,
  fixedBytes,
  float32,
  float64,
  kuduHash,
  hashPrefix,
  int16,
  int32,
  int64,
  int8,
  json,
  nullable,
  paddedText,
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
  type TableSchema,
} from 'rowkey'

/** Numbers and instants as key columns, in both orders, after a hashed bucket. */
export const Numbers = defineTable('wb_numbers', {
  columns: {
    zone: text(),
    i8: int8(),
    i16: desc(int16()),
    i32: nullable(int32()),
    i64: desc(int64()),
    u8: uint8(),
    u16: desc(uint16()),
    u32: uint32(),
    u64: nullable(desc(uint64()), { nulls: 'last' }),
    f32: float32(),
    f64: desc(float64()),
    ok: bool(),
    price: nullable(desc(decimal(12, 3))),
    at: desc(timestamp('ms')),
    us: timestamp('us'),
    ns: desc(timestamp('ns', { name: 'nanos' })),
    day: date(),
    note: nullable(text({ name: 'remark' })),
    big: nullable(int64({ as: 'bigint' })),
    wide: nullable(uint64()),
    ratio: nullable(float64()),
    amount: nullable(decimal(20, 3)),
    seen: nullable(timestamp('ns')),
    born: nullable(date()),
    blob: nullable(bytes()),
    doc: nullable(json()),
    made: timestamp('ms', { default: 'now' }),
    sum: int32({ default: 7 }),
  },
  key: ['zone', 'i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'f32', 'f64', 'ok', 'price', 'at', 'us', 'ns', 'day'],
  salt: bucket({ of: 'zone', count: 4, seed: 5 }),
})

/** Texts and bytes in every form, in partitions, after the first digits of a hash; plain writes. */
export const Texts = defineTable('wb_texts', {
  columns: {
    tenant: text(),
    shop: dictionary({ taobao: 'tb', tmall: 'tm', other: 'x' }),
    padded: paddedText(6, { pad: '_' }),
    ended: desc(separatedText('|')),
    user: reversed(text()),
    number: desc(reversed(int64())),
    title: nullable(desc(text())),
    raw: bytes(),
    code: desc(fixedBytes(3)),
    last: nullable(text(), { nulls: 'last' }),
    kind: nullable(dictionary({ a: '1', b: '2' })),
    pad: paddedText(4, { pad: '\0' }),
    flag: bool(),
    small: uint8(),
    sent: timestamp('ms', { as: 'number' }),
  },
  partition: ['tenant', 'shop'],
  key: ['padded', 'ended', 'user', 'number', 'title', 'raw', 'code', 'last'],
  salt: hashPrefix({ of: 'tenant', digits: 1 }),
  writes: 'plain',
})

/** Ids after two levels of hashes, with versions and expiry. */
export const Ids = defineTable('wb_ids', {
  columns: {
    price: decimal(9, 2),
    name: text(),
    clock: uuid({ order: 'time' }),
    id: ulid(),
    other: nullable(desc(uuid())),
    tag: nullable(uuid()),
    n: int32(),
    text: nullable(text()),
  },
  key: ['price', 'name', 'clock', 'id', 'other'],
  salt: [kuduHash({ of: 'price', count: 3 }), kuduHash({ of: 'name', count: 4, seed: 42 })],
  version: 'rev',
  ttl: '3d',
})

const modulo = { seq: int64(), part: desc(int8()), alpha: text(), omega: nullable(int32()) }
const moduloTable = {
  key: ['seq', 'part'],
  salt: bucket({ of: 'seq', modulo: 3 }),
  stores: { cassandra: { compaction: 'TimeWindow', gcGraceSeconds: 3600 }, dynamodb: { provisioned: { read: 10, write: 5 } } },
} as const
/** A table before it grew by a column. */
export const Young = defineTable('wb_modulo', { columns: modulo, ...moduloTable })
/** The same after it: the name of the new column comes between those of the older ones. */
export const Modulo = defineTable('wb_modulo', { columns: { ...modulo, middle: nullable(uint32()) }, ...moduloTable })

export const models: readonly TableSchema[] = [Numbers, Texts, Ids, Modulo]
