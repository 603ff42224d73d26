import { hbase } from '@rowkey/hbase'
import { isShort } from '@rowkey/servers/scale'
import { createMapper, defineTable, int64, nullable, text } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'

const columns = { k: text(), n: int64(), note: nullable(text()), notes: nullable(text()) }
/** The server passes over all former values of a row in milliseconds per thousand, which a short run would not tell from noise. */
const replaced = isShort ? 3000 : 30_000

/*
 * What a read or change costs must not depend on how often the row was changed before. Requests and bytes are the same, so only time shows it: the
 * one thing that is measured here is the ratio to a fresh row of the same table, in the same run.
 */
withServer('hbase', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'changed' })
  })
  afterAll(() => server.dispose())

  const opened = async (name: string, stores?: { readonly hbase: { readonly newVersionBehavior: false } }) => {
    const Rows = defineTable(name, { columns, key: ['k'], ...(stores && { stores }) })
    const db = createMapper(hbase(server.client, { namespace: 'changed' }))
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    for (const k of ['fresh', 'hot']) await rows.put({ k, n: 0n, note: 'a', notes: 'b' })
    // By the client, because the store may read before it puts.
    const { cells } = await server.client.get(`changed:${name}`, { row: rows.encodeKey({ k: 'hot' }) })
    for (let done = 0; done < replaced; done += 100) {
      const put = { row: rows.encodeKey({ k: 'hot' }), cells: cells.map(({ timestamp: _, ...cell }) => cell) }
      await Promise.all(Array.from({ length: 100 }, () => server.client.put(`changed:${name}`, put)))
    }
    return rows
  }
  type Rows = Awaited<ReturnType<typeof opened>>

  const reads = {
    get: (rows: Rows, k: string) => rows.get({ k }),
    scan: (rows: Rows, k: string) => rows.scan({ k: { gte: k } }, { limit: 1 }).toArray(),
    count: (rows: Rows, k: string) => rows.scan({ k }).count(),
    'count with a condition on a column whose name begins another one': (rows: Rows, k: string) => rows.scan({ k, note: 'a' }).count(),
  }
  const changes = {
    update: (rows: Rows, k: string) => rows.update({ k }, { note: 'a' }),
    increment: (rows: Rows, k: string) => rows.increment({ k }, { n: 1n }),
  }

  test('a row that was replaced often is read as fast as another one', async () => {
    await expectCheap(await opened('often'), reads)
  })

  test('with the hint newVersionBehavior: false it is also changed as fast', async () => {
    await expectCheap(await opened('often_hint', { hbase: { newVersionBehavior: false } }), { ...reads, ...changes })
  })

  async function expectCheap(rows: Rows, calls: Readonly<Record<string, (rows: Rows, k: string) => Promise<unknown>>>): Promise<void> {
    for (const [what, call] of Object.entries(calls)) {
      const ratio = await ratioOf(rows, call)
      // Once more, because the machine may have been busy. Without the remedy it is more than ten.
      if (ratio > 3) expect(await ratioOf(rows, call), what).toBeLessThan(3)
    }
  }

  /** Medians of the hot row and of the fresh one, taken in turn. */
  async function ratioOf(rows: Rows, call: (rows: Rows, k: string) => Promise<unknown>): Promise<number> {
    const times = { fresh: [] as number[], hot: [] as number[] }
    for (let i = 0; i < 21; i++) {
      for (const k of ['fresh', 'hot'] as const) {
        const start = performance.now()
        await call(rows, k)
        times[k].push(performance.now() - start)
      }
    }
    const median = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] as number
    return median(times.hot) / median(times.fresh)
  }
})
