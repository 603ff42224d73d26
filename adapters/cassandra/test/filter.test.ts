import { cassandra } from '@rowkey/cassandra'
import { scaled } from '@rowkey/servers/scale'
import {
  bool,
  bucket,
  createMapper,
  defineTable,
  desc,
  float32,
  float64,
  int32,
  int64,
  json,
  nullable,
  text,
  timestamp,
  uuid,
  type ColumnType,
  type Repository,
  type TableSchema,
} from 'rowkey'
import { newCatalog, type Adapter } from 'rowkey/adapter'
import { period } from 'rowkey/codec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds, type OracleKind } from '../../../packages/rowkey/src/conformance/oracle/kinds.js'
import type { OracleColumn } from '../../../packages/rowkey/src/conformance/oracle/layout.js'
import { randomWhere } from '../../../packages/rowkey/src/conformance/oracle/query.js'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { allPages, inspect, none, plus } from '../../../test/kit/all-pages.js'
import { unfiltered } from '../../../test/setup/unfiltered.js'
import { withServer } from '../../../test/setup/with-server.js'
import { responseCodes } from '../src/errors.js'
import { filterOf } from '../src/filter.js'
import { TableContext } from '../src/context.js'
import { around, clientOf, connect, type Connected } from './connected.js'

const seed = Number(process.env.ROWKEY_SEED ?? 20_261_128)
const stores = { cassandra: { filterPartitions: true } }
const when = { host: text(), day: period('day', { of: 'at' }), at: desc(timestamp('ms')) }

const table = (columns: Record<string, ColumnType>, given: Readonly<Record<string, unknown>> = stores): TableSchema =>
  defineTable('filtered', {
    columns: { ...when, ...columns },
    partition: ['host', 'day'],
    key: ['at'],
    writes: 'plain',
    stores: given,
  } as never)

describe('the text of a filter', () => {
  const schema = table({
    n: nullable(int32()),
    f: float32(),
    d: float64(),
    s: text(),
    id: uuid(),
    ok: bool(),
    tags: nullable(json()),
    'a.b': int64(),
  })
  const position = (name: string): number => schema.columns.findIndex((column) => column.name === name)
  const textOf = (name: string, test: object, hasLists = true, of = schema): string | undefined => {
    const context = new TableContext(of, newCatalog(of), 'shop', { filtersLists: hasLists } as never, {} as never)
    const found = filterOf(context, [{ column: position(name), ...test }])
    return found && `${found.text} ${found.params.map((bytes) => bytes.toString('hex')).join()}`
  }
  const at = (value: unknown, inclusive = true) => ({ value, inclusive })

  test('what CQL compares like rowkey is sent', () => {
    expect(textOf('n', { in: [7] })).toBe(' AND "n" = ? 00000007')
    expect(textOf('n', { in: [7, 5] })).toBe(' AND "n" IN ? 00000002000000040000000500000004' + '00000007')
    expect(textOf('n', { low: at(5, false), high: at(7) })).toBe(' AND "n" > ? AND "n" <= ? 00000005,00000007')
    expect(textOf('s', { low: at('a') })).toBe(' AND "s" >= ? 61')
    expect(textOf('ok', { in: [true] })).toBe(' AND "ok" = ? 01')
    expect(textOf('a.b', { in: [1n] })).toBe(' AND "a.b" = ? 0000000000000001')
    expect(textOf('id', { in: ['00000000-0000-4000-8000-000000000001'] })).toBe(' AND "id" = ? 00000000000040008000000000000001')
  })

  test('zero is both zeros of floats', () => {
    expect(textOf('d', { in: [0] })).toBe(' AND "d" IN ? 00000002' + '000000088000000000000000' + '000000080000000000000000')
    expect(textOf('d', { in: [0] }, false)).toBe(' AND "d" >= ? AND "d" <= ? 8000000000000000,0000000000000000')
    expect(textOf('d', { low: at(0), high: at(0) })).toBe(' AND "d" >= ? AND "d" <= ? 8000000000000000,0000000000000000')
    expect(textOf('d', { low: at(-0), high: at(-0) })).toBe(' AND "d" >= ? AND "d" <= ? 8000000000000000,0000000000000000')
    expect(textOf('d', { in: [-0] })).toBe(textOf('d', { in: [0] }))
    expect(textOf('d', { low: at(0, false) })).toBe(' AND "d" > ? 0000000000000000')
  })

  test('servers that do not filter by lists get the range of the list, if it has the order of CQL', () => {
    expect(textOf('n', { in: [7, 5, 6] }, false)).toBe(' AND "n" >= ? AND "n" <= ? 00000005,00000007')
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    expect(textOf('id', { in: ids }, false)).toBe(undefined)
  })

  test('what it compares differently, what nulls meet, keys and too much are left to the core', () => {
    expect(textOf('n', { isNull: true })).toBe(undefined)
    expect(textOf('n', { isNull: false })).toBe(undefined)
    expect(textOf('f', { low: at(0.1) })).toBe(undefined) // not a float of 4 bytes: the nearest one is greater
    expect(textOf('f', { low: at(0.5) })).toBe(' AND "f" >= ? 3f000000')
    expect(textOf('s', { in: ['\ud800'] })).toBe(undefined)
    expect(textOf('id', { low: at('00000000-0000-4000-8000-000000000001') })).toBe(undefined)
    expect(textOf('at', { in: [5] })).toBe(undefined)
    expect(textOf('n', { in: Array.from({ length: 101 }, (_, i) => i) })).toBe(undefined)
    expect(textOf('s', { in: ['x'.repeat(20_000)] })).toBe(undefined)
  })

  test('only tables that ask for it have filters, and only those with a period in the partition may ask', () => {
    expect(textOf('n', { in: [7] }, true, table({ n: nullable(int32()) }, {}))).toBe(undefined)
    const withoutPeriod = (cassandraHints: object): TableSchema =>
      defineTable('bare', {
        columns: { k: text(), n: int32() },
        partition: ['k'],
        key: ['n'],
        stores: { cassandra: cassandraHints },
      } as never)
    const db = createMapper(cassandra({ execute: () => undefined, options: { keyspace: 'shop' } } as never))
    expect(() => db.repository(withoutPeriod({ filterPartitions: true }))).toThrow(
      "INVALID_OPTION: in the model of 'bare', stores.cassandra.filterPartitions cannot be true. Give true or false, and true only to a table with a period()",
    )
    expect(() => db.repository(withoutPeriod({ filterPartitions: false }))).not.toThrow()
  })
})

/** Neighbours that another comparison takes for one value, or orders otherwise. */
const neighbours: readonly OracleKind[] = [
  { ...kind('int64'), pool: [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), -1n, 0n] },
  { ...kind('float64'), pool: [-0, 0, NaN, 1, -1, 5e-324, -5e-324, Infinity, -Infinity, 2 ** 53] },
  { ...kind('text'), pool: ['\ud7ff', '\ue000', '\uffff', '\u{10000}', 'e\u0301', '\u00e9', 'z', 'Z', '_', '', '\0'] },
]

function kind(name: string): OracleKind {
  return kinds.find((each) => each.name === name) as OracleKind
}

interface Columns {
  /** Those that the table has from the first. */
  readonly first: readonly OracleColumn[]
  readonly all: readonly OracleColumn[]
}

function randomColumns(random: Random): Columns {
  const column = (name: string, mayBeRequired: boolean): OracleColumn => {
    const kind = random.pick(random.chance(0.4) ? neighbours : kinds)
    const isNullable = !mayBeRequired || random.chance(0.5)
    return { name, kind, desc: false, nulls: isNullable ? 'first' : undefined, type: isNullable ? nullable(kind.type) : kind.type }
  }
  const first = ['a', 'b', 'c'].map((name) => column(name, true))
  const late: OracleColumn = { name: 'd', kind: kind('text'), desc: false, nulls: undefined, type: text({ default: 'host1' }) }
  return { first, all: [...first, late, column('e', false)] }
}

const dayMs = 86_400_000
const start = Date.parse('2026-12-30T00:00:00Z')

withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  /** Rows of three days of a host, then more with the columns that were added. */
  async function filled(random: Random, name: string, columns: Columns, adapter: Adapter): Promise<TableSchema> {
    const options = {
      ...(random.chance(0.5) ? { salt: bucket({ of: 'n', count: 2 }) } : {}),
      ...(random.chance(0.5) ? { writes: 'plain' as const } : {}),
      ...(random.chance(0.3) ? { ttl: '30d' } : {}),
    }
    const [before, after] = [columns.first, columns.all].map((own): TableSchema =>
      defineTable(name, {
        columns: { ...when, n: int32(), ...Object.fromEntries(own.map(({ name, type }): [string, ColumnType] => [name, type])) },
        partition: ['host', 'day'],
        key: ['at', 'n'],
        ...options,
        stores,
      } as never),
    ) as [TableSchema, TableSchema]
    const valueOf = ({ kind: { pool }, nulls }: OracleColumn): unknown =>
      nulls !== undefined && random.chance(0.3) ? null : random.pick(pool)
    const db = createMapper(adapter)
    for (const [at, schema] of [before, after].entries()) {
      await db.ensureTables([schema])
      const rows = Array.from({ length: 60 }, (_, i) => ({
        host: 'a',
        at: new Date(start + (i % 6) * (dayMs / 2) + at),
        n: i,
        ...Object.fromEntries((at === 0 ? columns.first : columns.all).map((column) => [column.name, valueOf(column)])),
      }))
      await db.repository(schema).putMany(rows as never)
    }
    return after
  }

  test(
    `G-15 ADAPTER-4 R7: scans return the same with filters of the server and without, seed ${seed}`,
    { timeout: 1_200_000 },
    async () => {
      const random = new Random(seed)
      let statements = 0
      const counted = cassandra(
        around(server.client, (query, send) => {
          if (query.endsWith('ALLOW FILTERING')) statements++
          return send()
        }),
        { keyspace: server.keyspace },
      )
      let [ours, theirs] = [none, none]
      for (let at = 0; at < scaled(8); at++) {
        const columns = randomColumns(random)
        const schema = await filled(random, `random${at}`, columns, server.adapter)
        const [filtered, whole] = [counted, unfiltered(server.adapter)].map((adapter) => createMapper(adapter).repository(schema))
        for (let query = 0; query < 40; query++) {
          const values = randomWhere(random, { key: [], partitionLength: 0, values: columns.all } as never)
          const from = start + random.below(4) * (dayMs / 2)
          const where = { host: 'a', at: { gte: new Date(from), lt: new Date(from + random.below(5) * (dayMs / 2)) }, ...values }
          const options = {
            ...(random.chance(0.5) ? { order: 'reverse' } : {}),
            ...(random.chance(0.5) ? { select: [random.pick(columns.all).name] } : {}),
          }
          const size = random.pick([1, 3, 10, 1000])
          const [mine, others] = await Promise.all([filtered, whole].map((rows) => allPages(rows as never, where, options, size)))
          const said = `${inspect(columns.all.map(({ name, kind }) => [name, kind.name]))} ${inspect(where)} ${inspect(options)} ${size}`
          expect(mine?.rows, said).toEqual(others?.rows)
          ours = plus(ours, mine?.stats ?? none)
          theirs = plus(theirs, others?.stats ?? none)
        }
        await server.adapter.dropTable(schema.name)
      }
      console.log(`filters of Cassandra: ${statements} statements; ${inspect(ours)}, without filters ${inspect(theirs)}`)
      expect(statements).toBeGreaterThan(100)
      expect(ours.returned).toBe(theirs.returned)
      expect(ours.sent).toBeLessThan(theirs.sent * 0.8)
    },
  )

  describe('a partition of 2,000 rows', () => {
    const Logs = defineTable('big', {
      columns: { ...when, n: int32(), level: text(), score: nullable(float64()), line: text() },
      partition: ['host', 'day'],
      key: ['at', 'n'],
      writes: 'plain',
      stores,
    } as never)
    const day = { gte: new Date(start), lt: new Date(start + dayMs) }
    beforeAll(async () => {
      const db = createMapper(server.adapter)
      await db.ensureTables([Logs])
      const rows = Array.from({ length: 2000 }, (_, n) => ({
        ...{
          host: 'a',
          at: new Date(start + (n % 1000)),
          n,
          level: n % 100 === 7 ? 'error' : n % 2 === 0 ? 'info' : 'debug',
          line: 'x'.repeat(100),
        },
        score: n % 3 === 0 ? null : n,
      }))
      await db.repository(Logs).putMany(rows as never)
    })
    const logsOn = (adapter: Adapter): Repository<TableSchema> => createMapper(adapter).repository(Logs)

    test('the server sends the rows that pass; examined counts those alone, and a page that finds none has read the rest of the partition', async () => {
      const logs = logsOn(server.adapter)
      const where = { host: 'a', at: day, level: 'error' }
      const page = await logs.scan(where).page({ size: 1000 })
      expect(page.stats).toMatchObject({ examined: 20, sent: 20, returned: 20 })
      const plain = await logsOn(unfiltered(server.adapter)).scan(where).page({ size: 1000 })
      expect(plain.stats).toMatchObject({ examined: 2000, sent: 2000, returned: 20 })
      const nothing = await logs.scan({ ...where, level: 'fatal' }).page({ size: 10 })
      expect(nothing).toMatchObject({ rows: [], stop: 'exhausted', stats: { calls: 1, examined: 0 } })
    })

    test('a page ends when it is full, and its cursor goes on in the same partition', async () => {
      const logs = logsOn(server.adapter)
      const where = { host: 'a', at: day, level: { in: ['error', 'none'] } }
      const first = await logs.scan(where, { order: 'reverse' } as never).page({ size: 7 })
      const second = await logs.scan(where, { order: 'reverse' } as never).page({ size: 100, cursor: first.cursor })
      expect([...first.rows, ...second.rows].map(({ n }) => n)).toEqual(
        (
          await logsOn(unfiltered(server.adapter))
            .scan(where as never, { order: 'reverse' } as never)
            .toArray()
        ).map(({ n }) => n),
      )
    })

    test('values of other programs: a negative zero, and a row without a required column', async () => {
      const { client, keyspace, adapter } = server
      const put = `INSERT INTO ${keyspace}.big (host, day, at, n, level, score, line) VALUES ('z', '2026-12-30', ${start}, ?, ?, ?, 'x')`
      const insert = (...params: unknown[]) => client.execute(put, params, { prepare: true })
      await insert(1, 'error', -0)
      await insert(2, 'error', 0)
      await insert(3, 'error', 1)
      const numbers = async (score: object): Promise<unknown> =>
        (
          await logsOn(adapter)
            .scan({ host: 'z', at: day, ...score })
            .toArray()
        ).map(({ n }) => n)
      for (const score of [{ score: 0 }, { score: { gte: 0, lt: 1 } }, { score: { in: [0, 5] } }, { score: { lte: 0 } }])
        expect(await numbers(score), inspect(score)).toEqual([1, 2])
      expect(await numbers({ score: { lt: 0 } })).toEqual([])
      await insert(4, null, 0)
      expect(await numbers({ level: 'error' })).toEqual([1, 2, 3])
      expect(await numbers({ score: 1 })).toEqual([3])
      await expect(numbers({ score: 0 })).rejects.toMatchObject({ code: 'UNREADABLE_ROW' })
    })

    test.each([
      ['a time-out of the replicas', { name: 'ResponseError', code: responseCodes.readTimeout, message: 'timed out' }],
      ['a time-out of the client', { name: 'OperationTimedOutError', message: 'The host did not reply' }],
    ])('%s ends the filters of the scan, not the scan', async (_, error) => {
      const sent: string[] = []
      const client = around(server.client, (query, send) => {
        sent.push(query)
        return query.endsWith('ALLOW FILTERING') ? Promise.reject(Object.assign(new Error(error.message), error)) : send()
      })
      const logs = logsOn(cassandra(client, { keyspace: server.keyspace }))
      const rows = await logs.scan({ host: 'a', at: day, level: 'error' }).toArray()
      expect(rows).toHaveLength(20)
      expect(sent.filter((query) => query.endsWith('ALLOW FILTERING'))).toHaveLength(1)
    })

    test('a server that does not filter by lists gets their range from then on', async () => {
      const sent: string[] = []
      const message = 'IN predicates on non-primary-key columns (level) is not yet supported'
      const client = around(server.client, (query, send) => {
        sent.push(query)
        return query.includes(' IN ? ')
          ? Promise.reject(Object.assign(new Error(message), { name: 'ResponseError', code: responseCodes.invalid }))
          : send()
      })
      const logs = logsOn(cassandra(client, { keyspace: server.keyspace }))
      for (let time = 0; time < 2; time++)
        expect(await logs.scan({ host: 'a', at: day, level: { in: ['error', 'fatal'] } }).toArray()).toHaveLength(20)
      expect(sent.filter((query) => query.includes(' IN ? '))).toHaveLength(1)
      expect(sent.filter((query) => query.includes('"level" >= ? AND "level" <= ?')).length).toBeGreaterThan(1)
    })
  })

  test('a table that was created again with a bucket is not searched without it', async () => {
    const Again = table({ v: int32() })
    const columns = { ...when, v: int32() }
    const Salted = defineTable('filtered', {
      columns,
      partition: ['host', 'day'],
      key: ['at'],
      writes: 'plain',
      salt: bucket({ of: 'at', count: 2 }),
    } as never)
    // In the past: before a read of later periods the catalog is read again, and the other table is SCHEMA_MISMATCH.
    const past = Date.parse('2026-01-30T00:00:00Z')
    const row = { host: 'a', at: new Date(past), v: 1 }
    const again = createMapper(server.adapter).repository(Again)
    await createMapper(server.adapter).ensureTables([Again])
    await again.put(row)
    const where = { host: 'a', at: { gte: new Date(past), lt: new Date(past + dayMs) }, v: 1 }
    expect(await again.scan(where as never).toArray()).toHaveLength(1)
    const client = clientOf(connection)
    const other = createMapper(cassandra(client, { keyspace: server.keyspace }))
    await other.dropTables([Again])
    await other.ensureTables([Salted])
    await expect(again.scan(where as never).toArray()).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    await client.shutdown()
  })
})
