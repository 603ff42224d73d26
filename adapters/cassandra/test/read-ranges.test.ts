import { cassandra } from '@rowkey/cassandra'
import { isRowkeyError, type Row } from 'rowkey/adapter'
import type { Client, QueryOptions } from 'cassandra-driver'
import {
  bool,
  bytes,
  createMapper,
  date,
  decimal,
  defineTable,
  desc,
  float64,
  int32,
  int64,
  nullable,
  text,
  timestamp,
  uint32,
  uint8,
  ulid,
  uuid,
  type ColumnType,
  type Mapper,
} from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { open, strong } from './tables.js'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

interface Pages {
  readonly prepare?: boolean
  readonly fetchSize?: number
  readonly pageState?: string | undefined
}
type Execute = (
  query: string,
  params: readonly unknown[],
  options: Pages,
) => Promise<{ readonly rows: readonly unknown[]; readonly pageState?: string }>

/** What a server says of a read that passes over too many tombstones. */
const refusal = (code = 0x1300): Error => Object.assign(new Error('Server failure during read query'), { name: 'ResponseError', code })

const isOfRows = (query: string): boolean => /^SELECT (?!.*FROM system)/.test(query) && !query.includes('rk_catalog')

/** The client with another answer to its statements. */
function answering(client: Client, answer: (execute: Execute, ...given: Parameters<Execute>) => ReturnType<Execute>): Client {
  return new Proxy(client, {
    get(target, property) {
      const own: unknown = Reflect.get(target, property)
      const execute: Execute = (query, params, options) => target.execute(query, params as unknown[], options as QueryOptions)
      if (property === 'execute') return async (...given: Parameters<Execute>) => answer(execute, ...given)
      return typeof own === 'function' ? (own.bind(target) as unknown) : own
    },
  })
}

/** The client of a server that refuses reads, as `isRefused` says. */
const refusing = (client: Client, isRefused: (query: string, params: readonly unknown[], execute: Execute) => Promise<boolean>): Client =>
  answering(client, async (execute, query, params, options) => {
    if (isOfRows(query) && (await isRefused(query, params, execute))) throw refusal()
    return execute(query, params, options)
  })

/** Refuses each read of a range with more than three rows, as if all of them were tombstones. */
const ofThree = (client: Client): Client =>
  refusing(client, async (query, params, execute) => {
    const isLimited = query.includes(' LIMIT ?')
    const all = isLimited ? params.slice(0, -1) : params
    const { rows } = await execute(query.replace(' LIMIT ?', ''), all, { prepare: true, fetchSize: 0 })
    return rows.length > 3
  })

/** Begins what it reads page by page with a page that has no rows, as servers that stop at a time or at an amount do. */
const withEmptyPages = (client: Client): Client =>
  answering(client, async (execute, query, params, { pageState, ...options }: Pages) => {
    if (isOfRows(query) && options.fetchSize !== 0 && pageState === undefined) return { rows: [], pageState: 'cafe' }
    return execute(query, params, pageState === 'cafe' ? options : { pageState, ...options })
  })

const uuidOf = (n: number): string => {
  const hex = ((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')
  return `${hex}-${hex.slice(0, 4)}-${['1', '4', '7'][n % 3] as string}${hex.slice(1, 4)}-8${hex.slice(2, 5)}-${hex}${hex.slice(4)}`
}
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const chars = ['', 'a', 'z', '\u007f', '\u0080', 'é', 'è', '中', '丰', '\ud7ff', '\ue000', '\u{1f600}', '\u{10ffff}']

/** Columns of keys, and values of them; those that CQL stores in a type of its own, and those that are bytes. */
const kinds: Readonly<Record<string, readonly [ColumnType, (n: number) => unknown]>> = {
  uint8: [uint8(), (n) => n % 256],
  uint32: [uint32(), (n) => 1_000_000 + n * n],
  int32: [int32(), (n) => (n - 20) * 7919],
  int64: [int64(), (n) => BigInt(n - 20) ** 11n],
  float64: [float64(), (n) => [-Infinity, -1e300, -1, 0, 1e-300, 1, Infinity, NaN][n % 8]],
  decimal: [decimal(12, 2), (n) => ((n - 20) * 12.5).toFixed(2).replace('-0.00', '0.00')],
  boolean: [bool(), (n) => n % 2 === 0],
  date: [date(), (n) => new Date(Date.UTC(2024, 0, 1 + n))],
  time: [timestamp('ms'), (n) => new Date(1_700_000_000_000 + n * 1000)],
  newest: [desc(timestamp('ms')), (n) => new Date(1_700_000_000_000 + n * 1000)],
  nanoseconds: [timestamp('ns', { as: 'bigint' }), (n) => 1_700_000_000_000_000_000n + BigInt(n)],
  'text with a long beginning': [text(), (n) => `tenant-0000/order-${String(n).padStart(6, '0')}`],
  'text of any characters': [
    text(),
    (n) => `${chars[n % 13] as string}${chars[(n * 7) % 13] as string}${chars[Math.floor(n / 13)] as string}`,
  ],
  'descending text': [desc(text()), (n) => 'x'.repeat(n % 20)],
  bytes: [bytes(), (n) => Uint8Array.of(255, 255, n % 5, n)],
  ulid: [ulid(), (n) => `01H${letters[n % 32] as string}${'0'.repeat(20)}${letters[(n * 3) % 32] as string}Z`],
  'uuid by time': [uuid({ order: 'time' }), uuidOf],
  uuid: [uuid(), uuidOf],
  'nullable text': [nullable(text()), (n) => (n === 0 ? null : `k${n}`)],
}

withServer('cassandra', (connection) => {
  let server: Connected
  let sound: Mapper
  let narrow: Mapper
  beforeAll(async () => {
    server = await connect(connection)
    sound = createMapper(server.adapter)
    narrow = createMapper(cassandra(ofThree(server.client), { keyspace: server.keyspace }))
  })
  afterAll(() => server.dispose())

  describe('SCAN-15: a server that refuses ranges of more than three rows answers as one that does not', () => {
    test.each(Object.entries(kinds))('%s', async (kind, [type, valueOf]) => {
      const name = `kind_${Object.keys(kinds).indexOf(kind)}`
      const columns = { u: text(), a: type, b: uint8(), v: nullable(text()) }
      const Table = defineTable(name, { columns, partition: ['u'], key: ['a', 'b'], writes: 'plain' })
      await sound.ensureTables([Table])
      const rows = upTo(40).map((n) => ({ u: 'p', a: valueOf(n), b: n % 4, v: `v${n}` }))
      await sound.repository(Table).putMany(rows)
      const [right, tested] = [sound.repository(Table), narrow.repository(Table)]
      const all = await right.scan({ u: 'p' }).toArray()
      expect(await tested.scan({ u: 'p' }).toArray()).toEqual(all)
      expect(await tested.scan({ u: 'p' }, { order: 'reverse' }).toArray()).toEqual(all.toReversed())
      const middle = { u: 'p', a: { gte: valueOf(8), lt: valueOf(30) } } as never
      expect(await tested.scan(middle).toArray()).toEqual(await right.scan(middle).toArray())
      expect(await tested.scan({ u: 'p' }).count()).toBe(all.length)
      expect(await tested.readAll().count()).toBe(all.length)
      const paged: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await tested.scan({ u: 'p' }, { order: 'reverse' }).page({ size: 7, cursor })
        paged.push(...page.rows)
        cursor = page.cursor
      } while (cursor !== undefined)
      expect(paged).toEqual(all.toReversed())
    })
  })

  const Many = defineTable('many', {
    columns: { u: text(), n: uint32(), v: nullable(text()) },
    partition: ['u'],
    key: ['n'],
    ttl: '1h',
    writes: 'plain',
  })

  test('SCAN-15 ADAPTER-5: full scans, their checkpoints, deleteAll and purges of many partitions are the same on it', async () => {
    await sound.ensureTables([Many])
    const rows = upTo(30).flatMap((u) => upTo(u % 5 === 0 ? 9 : 2).map((n) => ({ u: `u${u}`, n, v: null })))
    await sound.repository(Many).putMany(rows)
    const keyOf = ({ u, n }: { readonly u: string; readonly n: number }): string => `${u} ${n}`
    const table = await open(cassandra(ofThree(server.client), { keyspace: server.keyspace }), Many)
    const empty = createMapper(cassandra(ofThree(withEmptyPages(server.client)), { keyspace: server.keyspace }))
    expect(await empty.repository(Many).readAll().count()).toBe(rows.length)
    const read: string[] = []
    for (let page = await table.store.fullScan(undefined, strong).next(5); page !== undefined;) {
      read.push(...page.rows.map(([u, n]) => `${String(u)} ${String(n)}`))
      page = await table.store.fullScan(page.checkpoint, strong).next(5)
    }
    expect(read.toSorted()).toEqual(rows.map(keyOf).sort())
    await sound.repository(Many).putMany(
      upTo(9).map((n) => ({ u: 'old', n, v: null })),
      { expires: new Date(Date.now() + 2000) },
    )
    const later = createMapper(cassandra(ofThree(server.client), { keyspace: server.keyspace }), { clock: () => Date.now() + 2500 })
    expect(await later.purgeExpired(Many, { limit: 1000 })).toBe(9)
    expect(await narrow.repository(Many).scan({ u: 'u5' }).deleteAll()).toEqual(expect.anything())
    expect(await sound.repository(Many).readAll().count()).toBe(rows.length - 9)
  })

  test('SCAN-15: 120,000 tombstones in one partition: newest, a page of ten, count, full scan and purge, before, among and after live rows', async () => {
    const columns = { u: text(), n: uint32(), ...Object.fromEntries(upTo(20).map((i) => [`c${i}`, text()])) }
    const Events = defineTable('events', { columns, partition: ['u'], key: ['n'], ttl: '30d', writes: 'plain' })
    await sound.ensureTables([Events])
    const events = sound.repository(Events)
    const row = (n: number) => ({ u: 'a', n, ...Object.fromEntries(upTo(20).map((i) => [`c${i}`, 'x'])) })
    const dead = upTo(12_000).map((n) => n + 100)
    await events.putMany(dead.map(row), { expires: new Date(Date.now() - 10_000) })
    const alive = [1, 2, 3, 7000.5, 20_000, 20_001].map(Math.floor)
    await events.putMany(alive.map(row))
    await pause(2500)
    const whole = `SELECT n FROM ${server.keyspace}.events WHERE u = 'a'`
    await expect(server.client.execute(whole, [], { fetchSize: 0 })).rejects.toMatchObject({ code: 0x1300 }) // what the adapter works around
    const numbers = (rows: readonly object[]): unknown => rows.map((each) => (each as { n: number }).n)
    const newest = await events.scan({ u: 'a' }, { order: 'reverse' }).page({ size: 1 })
    expect([numbers(newest.rows), newest.stats.calls, newest.stats.examined]).toEqual([[20_001], 1, 1])
    expect(numbers((await events.scan({ u: 'a' }, { order: 'reverse' }).page({ size: 10 })).rows)).toEqual(alive.toReversed())
    const oldest = await events.scan({ u: 'a' }).page({ size: 10 })
    expect(numbers(oldest.rows)).toEqual(alive)
    expect(oldest.stats.calls).toBeLessThan(64)
    expect(await events.scan({ u: 'a' }).count()).toBe(6)
    expect(await events.readAll().count()).toBe(6)
    expect(await sound.purgeExpired(Events, { limit: 1000 })).toBe(0)
  })

  test('ERR-1: a server that refuses every read ends each call with STORE_REFUSED, after a bounded number of requests', async () => {
    await sound.ensureTables([Many])
    let requests = 0
    const never = createMapper(cassandra(refusing(server.client, async () => ++requests > 0), { keyspace: server.keyspace })) // prettier-ignore
    const many = never.repository(Many)
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      get: () => many.get({ u: 'a', n: 1 }),
      getMany: () => many.getMany([{ u: 'a', n: 1 }, { u: 'a', n: 2 }]), // prettier-ignore
      scan: () => many.scan({ u: 'a' }).toArray(),
      reverse: () => many.scan({ u: 'a' }, { order: 'reverse' }).toArray(),
      count: () => many.scan({ u: 'a' }).count(),
      deleteAll: () => many.scan({ u: 'a' }).deleteAll(),
      fullScan: () => many.readAll().count(),
      purge: () => never.purgeExpired(Many, { limit: 10 }),
    }
    for (const [what, call] of Object.entries(calls)) {
      requests = 0
      const error: unknown = await call().catch((thrown: unknown) => thrown)
      expect(isRowkeyError(error, 'STORE_REFUSED') && error.details, what).toEqual({
        adapter: 'cassandra',
        table: 'many',
        reason: 'tombstones',
      })
      expect((error as Error).message).toMatch(/tombstone.*expired row.*null of a put.*deleted row.*read newest first/)
      expect(requests, what).toBeLessThan(600)
    }
  })

  test.each([
    [0x2100, 'access'],
    [0x2000, 'other'],
    [0x2200, 'other'],
  ])('ERR-1: an answer of the server with code %i is STORE_REFUSED for reads and for tables', async (code, reason) => {
    const client = refusing(server.client, () => Promise.reject(refusal(code)))
    const db = createMapper(cassandra(client, { keyspace: server.keyspace }))
    const error: unknown = await db.repository(Many).get({ u: 'a', n: 1 }).catch((thrown: unknown) => thrown) // prettier-ignore
    expect(isRowkeyError(error, 'STORE_REFUSED') && error.details.reason).toBe(reason)
  })

  const Wide = defineTable('wide', {
    columns: { k: int32(), ...Object.fromEntries(upTo(40).map((i) => [`c${10 + i}`, nullable(text())])) },
    key: ['k'],
    writes: 'plain',
  })
  const wide = (k: number, set: Readonly<Record<number, string>>): Row => [k, ...upTo(40).map((i) => set[i] ?? null)]

  /** What a read of the whole table passes over. */
  const tombstones = async (): Promise<number> => {
    const { info } = await server.client.execute(`SELECT * FROM ${server.keyspace}.wide`, [], { traceQuery: true })
    const { events } = await server.client.metadata.getTrace(info.traceId)
    const told = events.map(({ activity }) => /Read \d+ live rows and (\d+) tombstone/.exec(String(activity))?.[1] ?? '0')
    return Math.max(...told.map(Number))
  }

  test('WRITE-2: a put with many nulls writes no tombstone that reads count, and clears what was there, also columns of others', async () => {
    const table = await open(server.adapter, Wide)
    await table.put(...upTo(50).map((k) => wide(k, { 3: 'x' })))
    expect(await tombstones()).toBe(0)
    await server.client.execute(`ALTER TABLE ${server.keyspace}.wide ADD other text`)
    await server.client.execute(`UPDATE ${server.keyspace}.wide SET other = 'x' WHERE rk_bucket = 0 AND k = 1`)
    await table.put(wide(1, { 3: 'x', 4: 'y' }))
    await table.put(wide(1, { 5: 'z' }))
    expect(await table.store.get([[1]], strong)).toEqual([wide(1, { 5: 'z' })])
    const { rows } = await server.client.execute(`SELECT other, c13, c15 FROM ${server.keyspace}.wide WHERE rk_bucket = 0 AND k = 1`)
    expect({ ...rows[0] }).toEqual({ other: null, c13: null, c15: 'z' })
    for (const n of upTo(200)) await table.put(wide(2, n % 2 === 0 ? { 1: `${n}` } : { 2: `${n}` }))
    expect(await table.get(2)).toEqual(wide(2, { 2: '199' }))
  })
})
