import { hbase } from '@rowkey/hbase'
import type { Get, HBaseClient, Result, Scan } from '@rowkey/hbase-client'
import { createMapper, defineTable, int32, nullable, text, type Repository } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, connect, type Connected } from './connected.js'

const columns = { g: text(), k: int32(), n: nullable(int32()), note: text(), z: nullable(text()) }
const Rows = defineTable('scanned', { columns, key: ['g', 'k'] })

/** Pages that a client reads. */
interface Read {
  readonly scan: Scan
  readonly rows: number
  readonly results: readonly Result[]
}

/** A client whose pages are noted, or changed on the way. */
function noted(
  client: HBaseClient,
  change: (results: readonly Result[]) => readonly Result[] = (results) => results,
): { client: HBaseClient; reads: Read[] } {
  const reads: Read[] = []
  const answered: HBaseClient['scan'] = async (table, scan, rows, options) => {
    const results = change(await client.scan(table, scan, rows, options))
    reads.push({ scan, rows, results })
    return results as Result[]
  }
  const wrapped = new Proxy(client, {
    get: (target, name) => {
      if (name === 'scan') return answered
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value as (...given: never[]) => unknown).bind(target) : value
    },
  })
  return { client: wrapped, reads }
}

withServer('hbase', (connection) => {
  let server: Connected
  const all = Array.from({ length: 500 }, (_, k) => ({
    g: 'g',
    k,
    n: k % 4 === 0 ? null : k % 50,
    note: 'x'.repeat(100),
    z: k % 2 === 0 ? 'z' : null,
  }))
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'scans' })
    const db = createMapper(server.adapter)
    await db.ensureTables([Rows])
    await db.repository(Rows).putMany(all)
  })
  afterAll(() => server.dispose())
  const on = (client: HBaseClient): Repository<typeof Rows> => createMapper(hbase(client, { namespace: 'scans' })).repository(Rows)

  test('the server leaves out what a row that fails has, and the row counts as examined', async () => {
    const { client, reads } = noted(server.client)
    const scan = on(client).scan({ g: 'g', n: 7 })
    const page = await scan.page({ size: 1000 })
    expect(page.rows.map(({ k }) => k)).toEqual([7, 57, 107, 157, 207, 257, 307, 357, 407, 457].filter((k) => k % 4 !== 0))
    expect(page.stats).toMatchObject({ examined: 500, sent: 500 })
    const [{ results } = { results: [] }] = reads
    const qualifiers = results.map(({ cells }) => cells.map(({ qualifier }) => Buffer.from(qualifier).toString()).join())
    // Of a row that fails, the cell that fails is missing and so is what comes after it; what comes before it is there.
    expect(qualifiers[7]).toBe('n,note,rk_mark')
    expect(qualifiers[5]).toBe('rk_mark')
    expect(qualifiers[6]).toBe('rk_mark')
  })

  test('a limit of what may be examined holds where the server filters, and the scan goes on from there', async () => {
    const rows = on(server.client)
    let cursor: string | undefined
    const found: number[] = []
    let pages = 0
    do {
      const page = await rows.scan({ g: 'g', n: 7 }, { maxExamined: 60 }).page({ size: 100, cursor })
      expect(page.stats.examined).toBeLessThanOrEqual(60)
      found.push(...page.rows.map(({ k }) => k))
      cursor = page.cursor
      pages++
    } while (cursor !== undefined && pages < 100)
    expect(found).toEqual([7, 57, 107, 157, 207, 257, 307, 357, 407, 457].filter((k) => k % 4 !== 0))
    expect(pages).toBeGreaterThan(8)
  })

  test('columns that are not asked for are not sent, but the one that a filter compares and the mark', async () => {
    const { client, reads } = noted(server.client)
    const found = await on(client).scan({ g: 'g', z: 'z', k: { lt: 4 } }, { select: ['k', 'n'] }).toArray()
    expect(found).toEqual([{ k: 0, n: null }, { k: 2, n: 2 }])
    const sent = new Set(reads.flatMap(({ results }) => results.flatMap(({ cells }) => cells.map(({ qualifier }) => Buffer.from(qualifier).toString()))))
    expect([...sent].sort()).toEqual(['n', 'rk_mark', 'z'])
  }) // prettier-ignore

  test('pages of long rows have few of them, so that no answer is much longer than 4 MB', async () => {
    const Long = defineTable('long_rows', { columns: { k: int32(), a: text(), b: text(), c: text(), d: text() }, key: ['k'] })
    const { client, reads } = noted(server.client)
    const db = createMapper(hbase(client, { namespace: 'scans' }))
    await db.ensureTables([Long])
    const rows = db.repository(Long)
    const long = 'x'.repeat(60_000)
    for (let at = 0; at < 400; at += 40)
      await rows.putMany(Array.from({ length: 40 }, (_, i) => ({ k: at + i, a: long, b: long, c: long, d: long })))
    expect((await rows.scan({}, { unbounded: true }).toArray()).map(({ k }) => k)).toEqual(Array.from({ length: 400 }, (_, k) => k))
    const bytes = reads.map(({ results }) =>
      results.reduce((sum, { cells }) => sum + cells.reduce((all, { value }) => all + value.length, 0), 0),
    )
    expect(Math.max(...bytes.slice(1))).toBeLessThan(5 << 20)
    expect(reads.length).toBeGreaterThan(20)
  })

  test('what other pages had does not make a page of long rows longer: purges, other columns, rows that fail a filter', async () => {
    const Mixed = defineTable('mixed_rows', { columns: { k: int32(), n: int32(), a: text(), b: text(), c: text() }, key: ['k'], ttl: '1h' })
    const { client, reads } = noted(server.client)
    const db = createMapper(hbase(client, { namespace: 'scans' }))
    await db.ensureTables([Mixed])
    const rows = db.repository(Mixed)
    const long = 'x'.repeat(60_000)
    for (let at = 0; at < 300; at += 50) {
      await rows.putMany(Array.from({ length: 50 }, (_, i) => ({ k: at + i, n: at < 200 ? 0 : 1, a: long, b: long, c: long })))
    }
    const full = { unbounded: true } as const
    const longest = async (run: () => Promise<unknown>): Promise<number> => {
      await run()
      const bytes = reads
        .splice(0)
        .map(({ results }) => results.flatMap(({ cells }) => cells).reduce((sum, { value }) => sum + value.length, 0))
      return Math.max(...bytes)
    }
    const whole = () => rows.scan({}, full).page({ size: 1000 })
    await whole()
    for (const other of [
      () => db.purgeExpired(Mixed),
      () => rows.scan({}, { ...full, select: ['k', 'n'] }).page({ size: 1000 }),
      () => rows.scan({ n: 7 }, full).page({ size: 1000 }),
    ]) {
      for (let i = 0; i < 5; i++) await other()
      reads.splice(0)
      expect(await longest(whole)).toBeLessThan(8 << 20)
    }
    // While nothing is found, pages are long.
    await rows.scan({ n: 7 }, full).page({ size: 1000 })
    expect(Math.max(...reads.splice(0).map(({ results }) => results.length))).toBe(300)
  })

  test('an answer that is longer than the client allows is asked for again with fewer rows', async () => {
    const Long = defineTable('too_long', { columns: { k: int32(), a: text(), b: text() }, key: ['k'] })
    const db = createMapper(server.adapter)
    await db.ensureTables([Long])
    await db.repository(Long).putMany(Array.from({ length: 64 }, (_, k) => ({ k, a: 'x'.repeat(60_000), b: 'x'.repeat(60_000) })))
    for (const transport of ['unframed', 'framed', 'http'] as const) {
      const client = clientOf(connection, transport, { maxAnswerBytes: 1 << 20 })
      const rows = createMapper(hbase(client, { namespace: 'scans' })).repository(Long)
      expect(
        (await rows.scan({}, { unbounded: true }).toArray()).map(({ k }) => k),
        transport,
      ).toEqual(Array.from({ length: 64 }, (_, k) => k))
      await client.close()
    }
    const tiny = clientOf(connection, 'unframed', { maxAnswerBytes: 100_000 })
    const rows = createMapper(hbase(tiny, { namespace: 'scans' })).repository(Long)
    await expect(rows.scan({}, { unbounded: true }).toArray()).rejects.toMatchObject({ code: 'ADAPTER_FAULT' })
    await tiny.close()
  })

  test.each([
    ['in another order', (results: readonly Result[]) => results.toReversed()],
    ['twice', (results: readonly Result[]) => results.flatMap((result) => [result, result])],
    ['more than asked for', (results: readonly Result[]) => [...results, ...Array.from({ length: 20_000 }, (_, i) => ({ ...(results[0] as Result), row: Buffer.from(`z${i}`) }))]],
    ['without a key', (results: readonly Result[]) => results.map(({ cells }) => ({ row: undefined, cells }))],
  ])('an answer with rows %s is ADAPTER_FAULT', async (_, change) => {
    const { client } = noted(server.client, change)
    await expect(on(client).scan({ g: 'g' }).toArray()).rejects.toMatchObject({ code: 'ADAPTER_FAULT' })
  }) // prettier-ignore

  test('a get that is answered with another row is ADAPTER_FAULT', async () => {
    const client = clientOf(connection)
    const { get } = client
    const wrong = Object.defineProperty(client, 'get', {
      value: (table: string, request: Get): Promise<Result> =>
        table === 'scans:scanned' ? Promise.resolve({ row: Buffer.from('other'), cells: [] }) : get.call(client, table, request),
    })
    await expect(on(wrong).get({ g: 'g', k: 1 })).rejects.toMatchObject({ code: 'ADAPTER_FAULT' })
    await client.close()
  })
})
