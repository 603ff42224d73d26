import type { Condition, Row, Value } from 'rowkey/adapter'
import { compileFilter, values } from 'rowkey/internal'
import { bytes, defineTable, int32, json, nullable, text, toHex, uint64 } from 'rowkey'
import { expect, test } from 'vitest'
import { kinds, type OracleKind } from '../../../packages/rowkey/src/conformance/oracle/kinds.js'
import { bucketSlice, pagesOf, strong } from '../../../packages/rowkey/src/conformance/suite/reading.js'
import { openProxy } from '../../../test/setup/proxy.js'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

/** A value that most rows have, and the others of a pool. */
const stored = ({ type, pool, name }: OracleKind): readonly Value[] => pool.map((value) => values(type, name).toValue(value))

const kindOf = (name: string): OracleKind => kinds.find((kind) => kind.name === name) as OracleKind
const beyond = (...values: readonly bigint[]): readonly string[] => values.map(String)

withServer('redis', ({ url }) => {
  const { open } = places()

  /** How many of the rows that a filter lets pass or drops are sent. */
  async function sentOf(kind: OracleKind, condition: (value: Value) => object): Promise<readonly string[]> {
    const { adapter, prefix } = open(url)
    const schema = defineTable(`${prefix}kind`, { columns: { n: int32(), before: nullable(text()), v: nullable(kind.type) }, key: ['n'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    const pool = stored(kind)
    const rows = [...pool, null].map((value, n): Row => [n, n % 2 === 0 ? 'x' : null, value])
    await adapter.write(
      rows.map((row) => ({ kind: 'put' as const, schema, row })),
      { now: 0 },
    )
    const roughly: string[] = []
    for (const value of pool) {
      const filter = [{ column: 2, ...condition(value) } as Condition]
      const pages = await pagesOf(store.scan({ ...bucketSlice(0), filter }, strong), 1000)
      const sent = pages.flatMap((page) => page.rows)
      const passing = rows.filter(compileFilter(schema, filter))
      expect(sent.filter(compileFilter(schema, filter)).map(([n]) => n)).toEqual(passing.map(([n]) => n))
      if (sent.length > passing.length) roughly.push(String(value))
    }
    await adapter.dropTable(schema.name)
    return roughly
  }

  test('ADAPTER-4: an equality sends only rows that pass, for all kinds of values but NaN', async () => {
    const rough = await Promise.all(kinds.map(async (kind) => [kind.name, await sentOf(kind, (value) => ({ in: [value] }))] as const))
    expect(Object.fromEntries(rough.filter(([, values]) => values.length > 0))).toEqual({
      float32: ['NaN'],
      float64: ['NaN'],
    })
  })

  test('ADAPTER-4: a range sends only rows that pass, except where Lua has another order', async () => {
    const ordered = kinds.filter(({ type }) => type.ordered)
    const rough = await Promise.all(
      ordered.map(async (kind) => [kind.name, await sentOf(kind, (value) => ({ low: { value, inclusive: false } }))] as const),
    )
    expect(Object.fromEntries(rough.filter(([, values]) => values.length > 0))).toEqual({
      bool: ['false', 'true'],
      'decimal(9,2)': stored(kindOf('decimal(9,2)')),
      'decimal(38)': stored(kindOf('decimal(38)')),
      'uuid by time': stored(kindOf('uuid by time')),
      float32: ['NaN'],
      float64: ['NaN'],
      // An end beyond 2^53 is rounded, so its own row is sent too.
      ...Object.fromEntries(
        ['int64', 'int64 as text', 'timestamp us', 'timestamp us as text', 'timestamp ns'].map((name) => [
          name,
          beyond(-(2n ** 63n), -(2n ** 53n) - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n),
        ]),
      ),
      uint64: beyond(2n ** 63n, 2n ** 64n - 1n),
      digits: beyond(2n ** 53n + 1n, 2n ** 63n - 1n),
    })
  })

  test('ADAPTER-1: whichever columns are requested, of short records and of long ones, they are filled, and long ones are sent in part', async () => {
    const proxy = await openProxy(Number(new URL(url).port))
    const { adapter, prefix } = open(`redis://127.0.0.1:${proxy.port}`)
    const columns = { n: int32(), a: nullable(text()), b: nullable(bytes()), c: int32(), d: nullable(text()), e: nullable(uint64()) }
    const schema = defineTable(`${prefix}parts`, { columns, key: ['n'], ttl: '30d', version: 'rev' })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    const blobs = ['', 'x', 'x'.repeat(300), 'x'.repeat(65_535)].map((blob) => Buffer.from(blob))
    const rows = [null, ...blobs].flatMap((blob, i): readonly Row[] => [
      [10 * i, blob === null ? null : blob.toString(), blob, i, null, 2n ** 64n - 1n, 2e12 + i, `v${i}`],
      [10 * i + 1, 'short', blob, -1, 'y'.repeat(1000), null, null, null],
    ])
    await adapter.write(
      rows.map((row) => ({ kind: 'put' as const, schema, row })),
      { now: 0 },
    )
    const text_ = (list: readonly Row[]): unknown =>
      list.map((row) => row.map((value) => (value instanceof Uint8Array ? toHex(value) : value)))
    for (let chosen = 0; chosen < 128; chosen++) {
      const positions = [1, 2, 3, 4, 5, 6, 7].filter((_, i) => (chosen & (1 << i)) !== 0)
      const wanted = rows.map((row) => row.map((value, i) => (i === 0 || positions.includes(i) ? value : null)))
      const pages = await pagesOf(store.scan(bucketSlice(0), { ...strong, columns: positions }), 1000)
      expect(text_(pages.flatMap((page) => page.rows)), String(positions)).toEqual(text_(wanted))
      const all = await pagesOf(store.fullScan(undefined, { ...strong, columns: positions }), 1000)
      expect(text_(all.flatMap((page) => page.rows)), String(positions)).toEqual(text_(wanted))
    }
    const before = proxy.bytes()
    await pagesOf(store.fullScan(undefined, { ...strong, columns: [3, 6] }), 1000)
    expect(proxy.bytes() - before).toBeLessThan(10_000)
    await adapter.dropTable(schema.name)
    await proxy.close()
  })

  test('bytes that are not a record, or values of another type, are sent, so that the read reports them', async () => {
    const { adapter, prefix, client } = open(url)
    const schema = defineTable(`${prefix}damaged`, { columns: { n: int32(), a: text(), b: nullable(json()) }, key: ['n'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    await adapter.write([{ kind: 'put', schema, row: [1, 'x', null] }], { now: 0 })
    const { values: hash, rowkey } = adapter.locate(schema, (await adapter.describeTable(schema.name)) as never, [1])
    const filter: readonly Condition[] = [{ column: 1, in: ['y'] }]
    const read = async (): Promise<unknown> => pagesOf(store.scan({ ...bucketSlice(0), filter }, strong), 10)
    expect(await read()).toEqual([{ rows: [], examined: 1, last: [1], cost: { calls: 1 } }])
    const damaged: Readonly<Record<string, readonly string[]>> = {
      UNREADABLE_ROW: ['9501c0c005c0', '9501c0c0a5', 'dc000501c0c0c4ff01', '9501c0c0c6'],
      CORRUPT_ROW: ['95', 'c0', '', '9502c0c0a179c0', 'dc'],
    }
    for (const [code, records] of Object.entries(damaged)) {
      for (const hex of records) {
        await client.hset(hash, Buffer.from(rowkey), Buffer.from(hex, 'hex'))
        await expect(read(), hex).rejects.toMatchObject({ code })
      }
    }
    await client.hset(hash, Buffer.from(rowkey), Buffer.from('9501c0c0c0c0', 'hex'))
    expect(await read(), 'null in a required column').toMatchObject([{ rows: [[1, null, null]] }])
    await client.hdel(hash, Buffer.from(rowkey))
    await client.hset(hash, 'another', 'x')
    await expect(read()).rejects.toMatchObject({ code: 'CORRUPT_ROW' })
    await adapter.dropTable(schema.name)
  })
})
