import { GetItemCommand, PutItemCommand, QueryCommand, type AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  bool,
  bytes,
  date,
  decimal,
  dictionary,
  digits,
  fixedBytes,
  fixedText,
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  json,
  lastBytes,
  lastText,
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
  type ColumnType,
} from 'rowkey/codec'
import { valueTypes } from '@rowkey/dynamodb'
import { valueKindNames } from '../../../test/kit/kind-names.js'
import { typeFacts } from 'rowkey/internal'
import { defineTable, type TableSchema } from 'rowkey'
import { isRowkeyError, type Value } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { onEachServer, openTable } from './servers.js'

const strong = { consistency: 'strong' } as const
const B = (...list: readonly number[]): AttributeValue => ({ B: new Uint8Array(list) })
const N = (digits: string): AttributeValue => ({ N: digits })
const S = (given: string): AttributeValue => ({ S: given })

/** Values, what is stored of them, and attributes that the column cannot have. */
interface Case {
  readonly type: ColumnType
  readonly good: readonly (readonly [Value, AttributeValue])[]
  readonly bad: readonly AttributeValue[]
}

const least = 5e-324
const integers = (low: number, high: number): Pick<Case, 'good' | 'bad'> => ({
  good: [...new Set([low, -1, 0, 1, high])].filter((n) => n >= low).map((n) => [n, N(String(n))]),
  bad: [N(String(BigInt(low) - 1n)), N(String(BigInt(high) + 1n)), N('0.5'), S('1'), B(1), { BOOL: true }, { NULL: true }],
})
const wide = (low: bigint, high: bigint): Pick<Case, 'good' | 'bad'> => ({
  good: [low, 0n, 9007199254740993n, high].map((n) => [n, N(String(n))]),
  bad: [N(String(low - 1n)), N(String(high + 1n)), N('0.5'), S('1')],
})

const cases: Readonly<Record<string, Case>> = {
  bool: {
    type: nullable(bool()),
    good: [
      [true, { BOOL: true }],
      [false, { BOOL: false }],
    ],
    bad: [S('true'), N('1')],
  },
  int8: { type: nullable(int8()), ...integers(-128, 127) },
  int16: { type: nullable(int16()), ...integers(-32768, 32767) },
  int32: { type: nullable(int32()), ...integers(-(2 ** 31), 2 ** 31 - 1) },
  uint8: { type: nullable(uint8()), ...integers(0, 255) },
  uint16: { type: nullable(uint16()), ...integers(0, 65535) },
  uint32: { type: nullable(uint32()), ...integers(0, 2 ** 32 - 1) },
  int64: { type: nullable(int64()), ...wide(-(2n ** 63n), 2n ** 63n - 1n) },
  uint64: { type: nullable(uint64()), ...wide(0n, 2n ** 64n - 1n) },
  timestamp_ms: { type: nullable(timestamp('ms')), ...integers(-8.64e15, 8.64e15) },
  timestamp_ns: { type: nullable(timestamp('ns')), ...wide(-(2n ** 63n), 2n ** 63n - 1n) },
  date: { type: nullable(date()), ...integers(-100_000_000, 100_000_000) },
  float64: {
    type: nullable(float64()),
    good: [
      [0, N('0')],
      [-0, B(0x80, 0, 0, 0, 0, 0, 0, 0)],
      [NaN, B(0x7f, 0xf8, 0, 0, 0, 0, 0, 0)],
      [Infinity, B(0x7f, 0xf0, 0, 0, 0, 0, 0, 0)],
      [-Infinity, B(0xff, 0xf0, 0, 0, 0, 0, 0, 0)],
      [0.1, N('0.1')],
      [-1.5, N('-1.5')],
      [2 ** 53, N('9007199254740992')],
      [1e21, N('1e+21')],
      [1.7976931348623157e308, B(0x7f, 0xef, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)],
      [least, B(0, 0, 0, 0, 0, 0, 0, 1)],
      [9.99999999999999e125, N('9.99999999999999e+125')],
      [1e126, B(0x5a, 0x17, 0xa2, 0xec, 0xc4, 0x14, 0xa0, 0x3f)],
      [1e-130, N('1e-130')],
      [-1.2345678901234567e-129, N('-1.2345678901234567e-129')],
    ],
    bad: [S('1'), B(1), B(1, 2, 3, 4), N('0.10000000000000000000001')],
  },
  float32: {
    type: nullable(float32()),
    good: [
      [0, N('0')],
      [-0, B(0x80, 0, 0, 0)],
      [NaN, B(0x7f, 0xc0, 0, 0)],
      [Math.fround(0.1), N('0.10000000149011612')],
      [3.4028234663852886e38, N('3.4028234663852886e+38')],
      [1.401298464324817e-45, N('1.401298464324817e-45')],
      [-Infinity, B(0xff, 0x80, 0, 0)],
    ],
    bad: [N('0.1'), B(0, 0, 0, 0, 0, 0, 0, 1), S('0')],
  },
  decimal: {
    type: nullable(decimal(38, 4)),
    good: [
      ['0.0000', N('0')],
      ['1.5000', N('1.5')],
      ['-0.0001', N('-0.0001')],
      ['100.0000', N('100')],
      [`${'9'.repeat(34)}.9999`, N(`${'9'.repeat(34)}.9999`)],
      [`-${'9'.repeat(34)}.9999`, N(`-${'9'.repeat(34)}.9999`)],
      ['1234567890123456789012345678901234.5670', N('1234567890123456789012345678901234.567')],
    ],
    bad: [N('0.00001'), N('1e36'), S('1.5000')],
  },
  digits: {
    type: nullable(digits(uint16(), { width: 5 })),
    good: [
      [0, N('0')],
      [65_535, N('65535')],
    ],
    bad: [S('00007'), N('65536'), N('-1'), N('1.5')],
  },
  text: {
    type: nullable(text()),
    good: ['', 'a', '\0', '\u{1f600}', 'null', '"}\'{', 'x'.repeat(65_535)].map((given) => [given, S(given)]),
    bad: [N('1'), B(97), { BOOL: true }, { L: [] }, { M: {} }, { SS: ['a'] }],
  },
  json: {
    type: nullable(json()),
    good: ['null', '{"b":1,"a":[1,{}]}', '""', '1.0e5'].map((given) => [given, S(given)]),
    bad: [{ M: {} }, N('1')],
  },
  bytes: {
    type: nullable(bytes()),
    good: [
      [new Uint8Array(), B()],
      [new Uint8Array([0, 255, 0]), B(0, 255, 0)],
    ],
    bad: [S(''), { BS: [new Uint8Array([1])] }],
  },
  fixed: { type: nullable(fixedBytes(2)), good: [[new Uint8Array([0, 1]), B(0, 1)]], bad: [B(1), B(1, 2, 3), S('ab')] },
  uuid: {
    type: nullable(uuid()),
    good: [['00112233-4455-6677-8899-aabbccddeeff', S('00112233-4455-6677-8899-aabbccddeeff')]],
    bad: [S('00112233-4455-6677-8899-AABBCCDDEEFF'), S(''), B(1)],
  },
  ulid: {
    type: nullable(ulid()),
    good: [['01ARZ3NDEKTSV4RRFFQ69G5FAV', S('01ARZ3NDEKTSV4RRFFQ69G5FAV')]],
    bad: [S('01arz3ndektsv4rrffq69g5fav')],
  },
  padded: { type: nullable(paddedText(4, { pad: 'x' })), good: [['web', S('web')]], bad: [S('webx'), S('toolong')] },
  separated: { type: nullable(separatedText('_')), good: [['web', S('web')]], bad: [S('we_b')] },
  fixedText: { type: nullable(fixedText(2)), good: [['ab', S('ab')]], bad: [S('abc')] },
  lastText: { type: nullable(lastText()), good: [['ab', S('ab')]], bad: [S('')] },
  lastBytes: { type: nullable(lastBytes()), good: [[new Uint8Array([0]), B(0)]], bad: [S('a')] },
  reversed: { type: nullable(reversed(text())), good: [['abc', S('abc')]], bad: [N('1')] },
  dictionary: { type: nullable(dictionary({ taobao: 'tb', tmall: 'tm' })), good: [['taobao', S('taobao')]], bad: [S('tb')] },
}

test('every kind of column is among the cases, and every storage class in the table', () => {
  expect(new Set(Object.values(cases).map(({ type }) => type.kind))).toEqual(valueKindNames)
  const classes = new Set(Object.values(cases).map(({ type }) => typeFacts(type).storage.class))
  expect([...classes].toSorted()).toEqual(Object.keys(valueTypes).toSorted())
})

const tableOf = (type: ColumnType): TableSchema => defineTable('values', { columns: { k: int32(), v: type }, key: ['k'], writes: 'plain' })

/** Servers write a number in forms of their own: its size and its digits are what counts. */
function plain(attribute: AttributeValue | undefined): unknown {
  if (attribute?.N === undefined) return attribute
  const digits = attribute.N.replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
  return { N: Number(attribute.N).toString(), digits }
}

onEachServer((server) => {
  test.each(Object.entries(cases))(
    'ROW-5 VAL-2: %s comes back as it was, and other clients find it as the table says',
    async (_, { type, good, bad }) => {
      const client = server.client()
      const adapter = server.adapter(client)
      const { schema, catalog, store, put } = await openTable(adapter, tableOf(type))
      await put(...good.map(([value], k) => [k, value]), [1000, null])
      for (const [k, [value, attribute]] of [...good.entries(), [1000, [null, undefined]] as const]) {
        const { Item } = await client.send(new GetItemCommand({ ...adapter.locate(schema, catalog, [k]), ConsistentRead: true }))
        expect(Object.keys(Item ?? {}).toSorted()).toEqual(value === null ? ['rk_p', 'rk_s'] : ['rk_p', 'rk_s', 'v'])
        expect(plain(Item?.['v'])).toEqual(plain(attribute))
        const [row] = await store.get([[k]], strong)
        expect(row?.[1] instanceof Uint8Array ? new Uint8Array(row[1]) : row?.[1]).toStrictEqual(value)
      }
      for (const [i, attribute] of bad.entries()) {
        const k = 2000 + i
        const { TableName, Key } = adapter.locate(schema, catalog, [k])
        await client.send(new PutItemCommand({ TableName, Item: { ...Key, v: attribute } }))
        const error: unknown = await (store.get([[k]], strong) as Promise<unknown>).then(
          (rows) => rows,
          (reason: unknown) => reason,
        )
        expect(isRowkeyError(error, 'UNREADABLE_ROW') ? error.details : error).toEqual({ table: schema.name, column: 'v' })
      }
    },
  )

  test('ROW-5 VAL-2: rows that a plain client writes as the README says are rows, and those of a mapper are found by Query', async () => {
    const Orders = defineTable('orders', {
      columns: { buyer: text(), day: int32(), order: text(), cents: uint32(), note: nullable(text()) },
      partition: ['buyer'],
      key: ['day', 'order'],
      ttl: '1d',
      version: 'rev',
    })
    const client = server.client()
    const adapter = server.adapter(client)
    const { schema, store, put } = await openTable(adapter, Orders)
    const p = B(1, ...Buffer.from('ann'), 0, 0)
    const s = (day: number, order: string): AttributeValue => B(1, 0x80, 0, 0, day, ...Buffer.from(order), 0, 0)
    await client.send(
      new PutItemCommand({
        TableName: schema.name,
        Item: {
          rk_p: p,
          rk_s: s(7, 'b'),
          cents: N('1250'),
          note: S('hi'),
          rk_expires: N('4000000000123'),
          rk_ttl: N('4000000001'),
          rk_version: S('v1'),
        },
      }),
    )
    await client.send(new PutItemCommand({ TableName: schema.name, Item: { rk_p: p, rk_s: s(8, ''), cents: N('1') } }))
    await put(['ann', 9, 'c', 3, null, 4_000_000_000_001, 'v2'])
    const source = store.scan(
      { bucket: 0, from: { prefix: ['ann'], edge: 'before' }, to: { prefix: ['ann'], edge: 'after' }, reverse: false },
      strong,
    )
    expect((await source.next(10))?.rows).toEqual([
      ['ann', 7, 'b', 1250, 'hi', 4_000_000_000_123, 'v1'],
      ['ann', 8, '', 1, null, null, null],
      ['ann', 9, 'c', 3, null, 4_000_000_000_001, 'v2'],
    ])
    const { Items } = await client.send(
      new QueryCommand({
        TableName: schema.name,
        KeyConditionExpression: 'rk_p = :p AND rk_s >= :s',
        ExpressionAttributeValues: { ':p': p, ':s': s(9, '') },
        ConsistentRead: true,
      }),
    )
    expect(Items).toHaveLength(1)
    const [{ rk_p: foundP, rk_s: foundS, ...attributes } = {}] = Items ?? []
    expect([foundP, foundS].map((found) => B(...(found?.B ?? [])))).toEqual([p, s(9, 'c')])
    expect(attributes).toEqual({ cents: N('3'), rk_expires: N('4000000000001'), rk_ttl: N('4000000001'), rk_version: S('v2') })
  })

  test('an item whose key is no rowkey is refused, not skipped', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const { schema, store } = await openTable(adapter, tableOf(nullable(text())))
    await client.send(new PutItemCommand({ TableName: schema.name, Item: { rk_p: B(1), rk_s: B(1, 2, 3) } }))
    await expect(store.fullScan(undefined, strong).next(10)).rejects.toMatchObject({
      code: 'UNREADABLE_ROW',
      details: { table: schema.name },
    })
  })
})
