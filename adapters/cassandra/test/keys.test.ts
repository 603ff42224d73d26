import {
  bool,
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
  int16,
  int32,
  int64,
  int8,
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
import { defineTable } from 'rowkey'
import type { Bound, Row, Value } from 'rowkey/adapter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { open, strong, type Opened } from './tables.js'

const B = (...list: readonly number[]): Uint8Array => new Uint8Array(list)
const texts = ['', '\0', 'a', 'a\0', 'aa', 'b', "it's", '"', 'é', '\u{fffd}', '\u{ff5e}', '\u{1f600}', '\u{10ffff}']
const integers = (low: number, high: number): readonly number[] => [...new Set([low, low + 1, Math.max(low, -1), 0, 1, high - 1, high])]
const wide = (low: bigint, high: bigint): readonly bigint[] => [
  ...new Set([low, low + 1n, 0n, 1n, 255n, 256n, 2n ** 53n + 1n, high - 1n, high]),
]
const floats = [-Infinity, -1.5, -0.5, 0, 0.5, 1, 1.5, Infinity, NaN]
// Version 1 with one clock and other bits of all signs, versions 4 and 7, mixed.
const uuids = [
  '00000000-0000-1000-8000-000000000000',
  'ffffffff-0000-1000-8000-000000000000',
  '00000000-ffff-1000-8000-000000000000',
  '12345678-1234-1fff-80ff-00000000007f',
  '12345678-1234-1fff-bfff-000000000080',
  '12345678-1234-1fff-807f-ffffffffffff',
  '12345678-1234-4fff-8000-000000000000',
  'f2345678-1234-4000-8000-000000000000',
  '00000000-0000-4000-8000-0000000000ff',
  '018f0000-0000-7000-8000-000000000000',
  '018f0000-0000-7fff-bfff-ffffffffffff',
  'ffffffff-ffff-7fff-bfff-ffffffffffff',
]

/** The CQL type that a key column gets, and values that are hard to put in order. */
const cases: Readonly<Record<string, readonly [type: ColumnType, cql: string, values: readonly Value[]]>> = {
  text: [text(), 'text', texts],
  bytes: [bytes(), 'blob', [B(), B(0), B(0, 0), B(0, 255), B(1), B(127), B(128), B(255), B(255, 0), B(255, 255)]],
  fixedBytes: [fixedBytes(2), 'blob', [B(0, 0), B(0, 255), B(127, 0), B(128, 0), B(255, 255)]],
  bool: [bool(), 'boolean', [false, true]],
  int8: [int8(), 'tinyint', integers(-128, 127)],
  int16: [int16(), 'smallint', integers(-32768, 32767)],
  int32: [int32(), 'int', integers(-(2 ** 31), 2 ** 31 - 1)],
  int64: [int64(), 'bigint', wide(-(2n ** 63n), 2n ** 63n - 1n)],
  uint8: [uint8(), 'smallint', integers(0, 255)],
  uint16: [uint16(), 'int', integers(0, 65535)],
  uint32: [uint32(), 'bigint', integers(0, 2 ** 32 - 1)],
  uint64: [uint64(), 'varint', wide(0n, 2n ** 64n - 1n)],
  float32: [float32(), 'float', floats],
  float64: [float64(), 'double', [...floats, 5e-324, -5e-324, 1e308, -1e308]],
  decimal: [decimal(5, 2), 'decimal', ['-999.99', '-1.50', '-0.01', '0.00', '0.01', '0.10', '1.00', '9.99', '10.00', '999.99']],
  wideDecimal: [decimal(38, 10), 'decimal', ['-9999999999999999999999999999.9999999999', '0.0000000001', '1.0000000000', '9999999999999999999999999999.9999999999']], // prettier-ignore
  timestamp_ms: [timestamp('ms'), 'timestamp', [-8.64e15, -1, 0, 1, 1.7e12, 8.64e15]],
  timestamp_us: [timestamp('us'), 'bigint', wide(-(2n ** 63n), 2n ** 63n - 1n)],
  date: [date(), 'date', [-100_000_000, -1, 0, 1, 20_000, 100_000_000]],
  timeUuid: [uuid({ order: 'time' }), 'uuid', uuids],
  ulid: [ulid(), 'ascii', ['00000000000000000000000000', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW', '01ARZ3NDEKTSVA000000000000', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ']], // prettier-ignore
  uuid: [uuid(), 'blob', uuids],
  reversed: [reversed(text()), 'blob', ['', 'a', 'ab', 'ba', 'zb', 'é']],
  dictionary: [dictionary({ x: '2', y: '1', z: '3' }), 'blob', ['x', 'y', 'z']],
  paddedText: [paddedText(4, { pad: '*' }), 'blob', ['', 'a', 'ab', '+', 'abcd']],
  separatedText: [separatedText('|'), 'blob', ['', 'a', 'ab', '}', 'a}']],
  fixedText: [fixedText(2), 'text', ['\0\0', '\0a', 'a\0', 'ab', 'b\0', 'é']],
  followedBy: [followedBy(int16(), '_'), 'smallint', integers(-32768, 32767)],
  nullableText: [nullable(text()), 'blob', [null, ...texts]],
  nullsLast: [nullable(int32(), { nulls: 'last' }), 'blob', [null, ...integers(-(2 ** 31), 2 ** 31 - 1)]],
}

const before = (...prefix: Row): Bound => ({ prefix, edge: 'before' })
const after = (...prefix: Row): Bound => ({ prefix, edge: 'after' })

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  async function cqlTypes(table: string): Promise<ReadonlyMap<string, string>> {
    const query = 'SELECT column_name, type FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?'
    const { rows } = await server.client.execute(query, [server.keyspace, table], { prepare: true })
    return new Map(rows.map((row) => [row['column_name'] as string, row['type'] as string]))
  }

  /** All rows, forwards and backwards, and the rows between any two values. */
  async function checkOrder({ schema, store, scan }: Opened, rows: readonly Row[]): Promise<void> {
    const sorted = rows.toSorted((a, b) => schema.layout.compareRows(a, b))
    expect(await scan()).toEqual(sorted)
    expect(await scan({ reverse: true })).toEqual(sorted.toReversed())
    for (let i = 0; i < sorted.length; i++) {
      const [low, high] = [sorted[i] as Row, sorted[(i * 7 + 3) % sorted.length] as Row]
      if (schema.layout.compareRows(low, high) > 0) continue
      for (const [from, to] of [
        [before(...low), before(...high)],
        [before(...low), after(...high)],
        [after(...low), after(...high)],
      ] as const) {
        if (schema.layout.compareBounds(from, to) >= 0) continue
        const source = store.scan({ bucket: 0, from, to, reverse: i % 2 === 1 }, strong)
        const page = await source.next(100)
        const inside = sorted.filter(
          (row) => schema.layout.compareBounds(before(...row), from) >= 0 && schema.layout.compareBounds(after(...row), to) <= 0,
        )
        expect(page?.rows ?? []).toEqual(i % 2 === 1 ? inside.toReversed() : inside)
      }
    }
  }

  test.each(Object.keys(cases))('SCAN-1 R4: %s is in the same order as ours, ascending and descending', async (kind) => {
    const [type, cql, values] = cases[kind] as (typeof cases)[string]
    for (const [name, column, direction] of [
      ['asc', type, cql],
      ['desc', desc(type as ColumnType<never>), cql],
    ] as const) {
      const schema = defineTable(`order_${kind}_${name}`, { columns: { v: column }, key: ['v'], writes: 'plain' })
      const table = await open(server.adapter, schema)
      expect((await cqlTypes(schema.name)).get('v')).toBe(direction)
      const rows = values.map((value): Row => [value])
      await table.put(...rows)
      for (const row of rows) expect(await table.get(...row)).toEqual(row)
      await checkOrder(table, rows)
    }
  })

  test('SCAN-1 R4: columns of mixed directions and types: every pair of bounds', async () => {
    const schema = defineTable('mixed', {
      columns: { a: desc(text()), b: nullable(int32()), c: desc(timestamp('ms')), d: uuid() },
      key: ['a', 'b', 'c', 'd'],
      writes: 'plain',
    })
    const table = await open(server.adapter, schema)
    const rows = ['', 'x', 'y'].flatMap((a) =>
      [null, -1, 5].flatMap((b) => [0, 9].flatMap((c) => uuids.slice(5, 7).map((d): Row => [a, b, c, d]))),
    )
    await table.put(...rows)
    const sorted = rows.toSorted((a, b) => schema.layout.compareRows(a, b))
    expect(await table.scan()).toEqual(sorted)
    expect(await table.scan({ reverse: true })).toEqual(sorted.toReversed())
    // Pages of 1 go on behind every key, where each column may be the one that ends.
    for (const reverse of [false, true]) {
      const source = table.store.scan({ bucket: 0, from: before('y'), to: after(''), reverse }, strong)
      const seen: Row[] = []
      for (let page = await source.next(1); page !== undefined; page = await source.next(1)) seen.push(...page.rows)
      expect(seen).toEqual(reverse ? sorted.toReversed() : sorted)
    }
    await checkOrder(table, rows)
  })

  test('PRED-1: −0 is 0 in a key, as a row, as a bound and in a get', async () => {
    const table = await open(server.adapter, defineTable('zeros', { columns: { x: float64() }, key: ['x'], writes: 'plain' }))
    await table.put([-0], [-1], [1])
    expect(await table.get(0)).toEqual([0])
    expect(await table.get(-0)).toEqual([0])
    const source = table.store.scan({ bucket: 0, from: before(-0), to: after(), reverse: false }, strong)
    expect((await source.next(10))?.rows).toEqual([[0], [1]])
  })

  test('partition columns of every kind: empty text, no bytes, nulls, UUIDs of mixed versions', async () => {
    for (const [kind, [type, , values]] of Object.entries(cases)) {
      const schema = defineTable(`partition_${kind}`, {
        columns: { part: type, k: int32() },
        partition: ['part'],
        key: ['k'],
        writes: 'plain',
      })
      const table = await open(server.adapter, schema)
      await table.put(...values.map((value, i): Row => [value, i]))
      for (const [i, value] of values.entries()) {
        expect(await table.scan({ partition: [value] })).toEqual([[value, i]])
        expect(await table.get(value, i)).toEqual([value, i])
      }
      expect((await server.client.execute(`SELECT * FROM ${server.keyspace}."${schema.name}"`)).rowLength).toBe(values.length)
    }
  })

  test('PRED-2: null is never a bound: what would be one is refused before it is sent', async () => {
    const table = await open(server.adapter, defineTable('bounds', { columns: { n: int32() }, key: ['n'], writes: 'plain' }))
    await table.put([1], [2])
    const source = table.store.scan({ bucket: 0, from: before(null), to: after(), reverse: false }, strong)
    await expect((async () => source.next(10))()).rejects.toThrow("key column 'n' cannot be null")
    await expect(table.get(null)).rejects.toThrow("key column 'n' cannot be null")
  })
})
