import {
  bool,
  bytes,
  date,
  decimal,
  desc,
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
import { bucket, defineTable, renameTable, type TableSchema } from 'rowkey'
import type { TableCatalog, Value } from 'rowkey/adapter'
import { ensureTable } from 'rowkey/internal'
import { types } from 'cassandra-driver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { valueTypes } from '../src/values.js'
import { read } from '../../../test/docs/pages.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { open } from './tables.js'

test('VAL-1: the table of value types in the docs is that of the code', () => {
  const [, section = ''] = read('docs/spec/value-types.md').split('## Cassandra')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const wanted = Object.entries(valueTypes).map(([kind, { cql, encoding, why }]) => ['', `\`${kind}\``, cql, encoding, why, ''])
  expect(rows).toEqual(wanted)
})

/** Values, what other clients read of them as JSON of the server, and CQL literals of what the column cannot have. A period is in keys only. */
const cases: Readonly<
  Record<
    Exclude<ColumnType['kind'], 'period'> | 'timestampUs',
    readonly [type: object, good: readonly (readonly [Value, string])[], bad?: readonly string[]]
  >
> = {
  text: [text(), [['', '""'], [`it's "so" \0 \u{1f600}`, '"it\'s \\"so\\" \\u0000 \u{1f600}"']]], // prettier-ignore
  bytes: [bytes(), [[new Uint8Array(), '"0x"'], [new Uint8Array([0, 255]), '"0x00ff"']]], // prettier-ignore
  fixedBytes: [fixedBytes(2), [[new Uint8Array([0, 255]), '"0x00ff"']], ['0x', '0x00', '0x000102']],
  bool: [bool(), [[true, 'true'], [false, 'false']]], // prettier-ignore
  int8: [int8(), [[-128, '-128'], [127, '127']]], // prettier-ignore
  int16: [int16(), [[-32768, '-32768']]],
  int32: [int32(), [[-(2 ** 31), '-2147483648']]],
  int64: [int64(), [[-(2n ** 63n), '-9223372036854775808'], [9007199254740993n, '9007199254740993']]], // prettier-ignore
  uint8: [uint8(), [[255, '255']], ['256', '-1']],
  uint16: [uint16(), [[65535, '65535']], ['65536', '-1']],
  uint32: [uint32(), [[2 ** 32 - 1, '4294967295']], ['4294967296', '-1']],
  uint64: [uint64(), [[0n, '0'], [128n, '128'], [2n ** 64n - 1n, '18446744073709551615']], ['18446744073709551616', '-1']], // prettier-ignore
  float32: [float32(), [[-0, '-0.0'], [1.5, '1.5'], [NaN, ''], [-Infinity, '']]], // prettier-ignore
  float64: [float64(), [[-0, '-0.0'], [5e-324, '4.9E-324'], [NaN, ''], [Infinity, '']]], // prettier-ignore
  decimal: [decimal(5, 2), [['0.00', '0.00'], ['-1.50', '-1.50'], ['999.99', '999.99']], ['1000', '0.001', '1e-9']], // prettier-ignore
  timestamp: [timestamp('ms'), [[0, '"1970-01-01 00:00:00.000Z"'], [-8.64e15, ''], [8.64e15, '']], ['8640000000000001']], // prettier-ignore
  timestampUs: [timestamp('us'), [[-(2n ** 63n), '-9223372036854775808']]],
  date: [date(), [[0, '"1970-01-01"'], [-1, '"1969-12-31"'], [100_000_000, '']]], // prettier-ignore
  uuid: [uuid(), [['00112233-4455-6677-8899-aabbccddeeff', '"00112233-4455-6677-8899-aabbccddeeff"']]],
  ulid: [ulid(), [['01ARZ3NDEKTSV4RRFFQ69G5FAV', '"01ARZ3NDEKTSV4RRFFQ69G5FAV"']]],
  json: [json(), [['{"a":[1,null]}', '"{\\"a\\":[1,null]}"']]],
  paddedText: [paddedText(4, { pad: '*' }), [['ab', '"ab"']]],
  separatedText: [separatedText('|'), [['ab', '"ab"']]],
  fixedText: [fixedText(2), [['ab', '"ab"']]],
  lastText: [lastText(), [['ab', '"ab"']]],
  lastBytes: [lastBytes(), [[new Uint8Array([0, 255]), '"0x00ff"']]], // prettier-ignore
  dictionary: [dictionary({ red: '1' }), [['red', '"red"']]],
  reversed: [reversed(int64()), [[123n, '123']]],
  digits: [digits(int64(), { width: 4 }), [[123n, '123']], ['-1', '10000']],
}

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())
  const catalogOf = async ({ name }: TableSchema): Promise<TableCatalog> => (await server.adapter.describeTable(name)) ?? expect.fail(name)

  test.each(Object.keys(cases) as (keyof typeof cases)[])(
    'ROW-5 VAL-2: %s: other clients read the value, we read theirs, and what it cannot be is UNREADABLE_ROW',
    async (kind) => {
      const [type, good, bad = []] = cases[kind]
      const schema = defineTable(`value_${kind}`, { columns: { k: int32(), v: nullable(type as never) }, key: ['k'], writes: 'plain' })
      const table = await open(server.adapter, schema)
      const name = `${server.keyspace}."${schema.name}"`
      await table.put([0, null], ...good.map(([value], i) => [i + 1, value] as const))
      for (const [i, [value, jsonText]] of good.entries()) {
        expect(await table.get(i + 1)).toEqual([i + 1, value])
        const { rows } = await server.client.execute(`SELECT toJson(v) AS json FROM ${name} WHERE rk_bucket = 0 AND k = ${i + 1}`)
        const theirs = rows[0]?.['json'] as string
        if (jsonText === '') continue // the server has no JSON for it
        expect(theirs).toBe(jsonText)
        await server.client.execute(`INSERT INTO ${name} (rk_bucket, k, v) VALUES (0, ?, fromJson(?))`, [100 + i, theirs], {
          prepare: true,
        })
        expect(await table.get(100 + i)).toEqual([100 + i, value])
      }
      expect(await table.get(0)).toEqual([0, null])
      for (const [i, literal] of bad.entries()) {
        await server.client.execute(`INSERT INTO ${name} (rk_bucket, k, v) VALUES (0, ${200 + i}, ${literal})`)
        await expect(table.get(200 + i)).rejects.toMatchObject({ code: 'UNREADABLE_ROW', details: { table: schema.name, column: 'v' } })
      }
    },
  )

  const Logs = defineTable('logs', {
    columns: {
      tenant: text(),
      host: text(),
      at: desc(timestamp('ms')),
      day: date(),
      sum: decimal(9, 2),
      id: nullable(uuid()),
      x: float64(),
      note: nullable(text()),
    },
    partition: ['tenant'],
    key: ['host', 'at', 'day', 'sum', 'id', 'x'],
    salt: bucket({ of: 'host', count: 4 }),
    writes: 'plain',
  })
  const hostile = ['', "'", '"', "'; DROP TABLE logs; --", '}', '\0', '\\', '$$', 'a\nb', '\u{10ffff}', 'ß'.repeat(60), '?', ':x']

  test('ADAPTER-1: a row is where locate() says, whatever is in its key, and holds nothing else', async () => {
    const table = await open(server.adapter, Logs)
    for (const [i, given] of hostile.entries()) {
      const key = [
        given,
        given,
        -i,
        i - 5,
        '-1.50',
        i % 2 === 0 ? null : '00112233-4455-6677-8899-aabbccddeeff',
        i === 3 ? NaN : -0,
      ] as const
      await table.put([...key, given])
      const address = server.adapter.locate(Logs, await catalogOf(Logs), key)
      const { rows } = await server.client.execute(address.cql)
      expect(rows).toHaveLength(1)
      expect(rows[0]).toMatchObject({ tenant: given, host: given, at: new Date(-i), note: given, rk_bucket: Logs.layout.bucketOf(key) })
      expect(Object.keys(address.where)).toEqual(['rk_bucket', 'tenant', 'host', 'at', 'day', 'sum', 'id', 'x'])
    }
    expect((await server.client.execute(`SELECT * FROM ${server.keyspace}.logs`)).rowLength).toBe(hostile.length)
  })

  test('a row that another client inserts in the documented layout is read by us', async () => {
    const Plain = defineTable('plain_rows', {
      columns: { tenant: text(), host: text(), at: desc(timestamp('ms')), n: nullable(int64()) },
      partition: ['tenant'],
      key: ['host', 'at'],
      writes: 'plain',
    })
    const table = await open(server.adapter, Plain)
    const query = `INSERT INTO ${server.keyspace}.plain_rows (tenant, host, at, n) VALUES (?, ?, ?, ?)`
    await server.client.execute(query, ['acme', 'web', new Date(5), types.Long.fromNumber(7)], { prepare: true })
    await server.client.execute(query, ['acme', 'web', new Date(6), null], { prepare: true })
    expect(await table.scan({ partition: ['acme'] })).toEqual([
      ['acme', 'web', 6, null],
      ['acme', 'web', 5, 7n],
    ])
  })

  test('names of columns that JavaScript, CQL or the driver treat specially are names like others', async () => {
    const physical = [
      '__proto__',
      '__column',
      'constructor',
      'get',
      'keys',
      'hasOwnProperty',
      'SELECT',
      'select',
      'token',
      'ttl',
      'c0',
      'Mixed',
      'mixed',
      '_',
    ]
    for (const writes of ['plain', 'conditional'] as const) {
      const columns = Object.fromEntries(physical.map((name, i) => [`column${i}`, nullable(text({ name }))]))
      const schema = defineTable(`names_${writes}`, {
        columns: { ...columns, key1: text({ name: 'from' }), key2: text({ name: 'where' }) },
        partition: ['key1'],
        key: ['key2'],
        writes,
      })
      const table = await open(server.adapter, schema)
      const row = ['x', "it's", ...schema.columns.slice(2).map(({ physical }) => `of ${physical}`)]
      await table.put(row)
      if (writes === 'conditional') {
        const [insert] = await table.write([{ kind: 'insert', row }])
        expect(insert).toEqual({ kind: 'conflict', current: row })
        await table.write([
          {
            kind: 'update',
            row: row
              .map((value) => value.toUpperCase())
              .with(0, 'x')
              .with(1, "it's"),
            set: [2, 3],
          },
        ])
        const now = await table.get('x', "it's")
        expect(now?.slice(2, 5)).toEqual([row[2]?.toUpperCase(), row[3]?.toUpperCase(), row[4]])
        await table.put(row)
      }
      expect(await table.get('x', "it's")).toEqual(row)
      expect(await table.scan({ partition: ['x'] })).toEqual([row])
      const { where, cql } = server.adapter.locate(schema, await catalogOf(schema), row)
      expect(where).toEqual({ from: "'x'", where: "'it''s'" })
      expect((await server.client.execute(cql)).rowLength).toBe(1)
    }
  })

  test('a column that the driver cannot give back is NOT_SUPPORTED, before there is a table', async () => {
    const schema = defineTable('unreadable', { columns: { k: int32(), v: nullable(text({ name: '__columns' })) }, key: ['k'] })
    expect(() => server.adapter.ddl(schema)).toThrow("NOT_SUPPORTED: cassandra does not accept the name '__columns' of column 'v'")
    await expect(ensureTable(server.adapter, schema)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    expect(await server.adapter.describeTable('unreadable')).toBeUndefined()
    for (const name of ['rk_catalog', 'log-events', 'a.b', 'ns:table', 'a'.repeat(49)]) {
      expect(() => server.adapter.ddl(renameTable(defineTable('fine', { columns: { k: int32() }, key: ['k'] }), name))).toThrow(
        `cassandra does not accept the table name '${name}'`,
      )
    }
  })

  test('columns called as other stores do not allow, and a table that begins with a digit', async () => {
    const columns = { 'user-agent': int32(), p: nullable(text()), 's.x': nullable(text({ name: '1:q' })), _: nullable(int32()) }
    const schema = defineTable('1_logs', { columns, key: ['user-agent'] })
    const first = await open(server.adapter, schema)
    const row = schema.columns.map(({ name }) => ({ 'user-agent': 7, p: 'a', 's.x': 'b', _: 1 })[name] ?? null)
    await first.put(row)
    expect(await first.store.get([[7]], { consistency: 'strong' })).toEqual([row])
    await server.adapter.dropTable('1_logs')
  })

  test('clients that make bigints of integers, or do not copy, read and write the same', async () => {
    const columns = { n: int64(), u: uint64(), at: timestamp('ms'), b: bytes(), d: nullable(decimal(4, 1)), e: nullable(uint32()) }
    const schema = defineTable('encodings', { columns, key: ['n', 'u', 'at', 'b'], ttl: '1h', version: 'rev' })
    const row = [-(2n ** 63n), 2n ** 64n - 1n, 1e12, new Uint8Array([1, 0]), '-9.5', 7, 4e12, '01ARZ3NDEKTSV4RRFFQ69G5FAV']
    const first = await open(server.adapter, schema)
    await first.put(row)
    for (const encoding of [
      { useBigIntAsLong: true, useBigIntAsVarint: true, copyBuffer: false },
      { useBigIntAsLong: false, useBigIntAsVarint: true },
    ]) {
      const other = await connect(connection, { encoding })
      const table = await open(other.adapter, schema)
      await table.put(row)
      expect(await table.get(...row.slice(0, 4))).toEqual(row)
      const [insert] = await table.write([{ kind: 'insert', row }])
      expect(insert?.kind).toBe('conflict')
      const [update] = await table.write([
        { kind: 'update', row: row.with(4, '1.0').with(7, 'v2'), set: [4, 7], version: row[7] as string },
      ])
      expect(update?.kind).toBe('applied')
      expect(await table.scan()).toEqual([row.with(4, '1.0').with(7, 'v2')])
      await other.dispose()
    }
  })

  test('GET-1: what the driver keeps of its packets does not stay in rows: bytes have memory of their own', async () => {
    const schema = defineTable('memory', { columns: { k: bytes(), v: nullable(bytes()) }, key: ['k'], writes: 'plain' })
    const table = await open(server.adapter, schema)
    await table.put([new Uint8Array([1]), new Uint8Array([2, 3])])
    const row = await table.get(new Uint8Array([1]))
    for (const value of row as readonly Uint8Array[]) {
      expect(Object.getPrototypeOf(value)).toBe(Uint8Array.prototype)
      expect(value.buffer.byteLength).toBe(value.length)
    }
  })
})
