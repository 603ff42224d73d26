import { bucket, createMapper, defineTable, int32, text, toHex } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { startJava, type JavaProgram } from './java.js'

const columns = { host: text(), n: int32(), note: text() }

withServer('hbase', (connection) => {
  let server: Connected
  let java: JavaProgram
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'regions' })
    java = startJava(connection)
  })
  afterAll(async () => {
    await java.end()
    await server.dispose()
  })

  test('scans and full scans lose no row and have none twice while regions split and move', async () => {
    const Rows = defineTable('splitting', { columns, key: ['host', 'n'], salt: bucket({ of: 'host', count: 4 }) })
    const db = createMapper(server.adapter)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    const all = Array.from({ length: 2000 }, (_, i) => ({ host: `h${i % 20}`, n: i, note: 'x'.repeat(i % 50) }))
    await rows.putMany(all)
    let isDone = false
    const wanted = all.map(({ n }) => n)
    const counts = { scans: 0, reversed: 0, full: 0, parts: 0 }
    const scan = async (): Promise<void> => {
      for (; !isDone; counts.scans++) {
        const found = await rows.scan({}, { unbounded: true }).toArray()
        expect(found.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(wanted)
      }
    }
    const reversed = async (): Promise<void> => {
      for (; !isDone; counts.reversed++) {
        const host = `h${counts.reversed % 20}`
        const found = await rows.scan({ host, n: { gte: 100, lt: 1900 } }, { order: 'reverse' }).toArray()
        expect(found.map(({ n }) => n)).toEqual(
          all
            .filter((row) => row.host === host && row.n >= 100 && row.n < 1900)
            .map(({ n }) => n)
            .toReversed(),
        )
      }
    }
    const full = async (): Promise<void> => {
      for (; !isDone; counts.full++) {
        const found: number[] = []
        for await (const { n } of rows.readAll()) found.push(n)
        expect(found.toSorted((a, b) => a - b)).toEqual(wanted)
      }
    }
    const busy = Promise.all([scan(), reversed(), full()])
    const middle = (host: string, n: number): string => toHex(rows.encodeKey({ host, n }))
    try {
      let regions = 1
      for (const [host, n] of [
        ['h1', 901],
        ['h2', 402],
        ['h7', 1207],
        ['h13', 813],
      ] as const) {
        regions++
        expect(await java.run('split', 'regions:splitting', middle(host, n))).toBe(String(regions))
        expect(await java.run('move', 'regions:splitting')).toBe(String(regions))
      }
      await java.run('flush', 'regions:splitting')
      await java.run('compact', 'regions:splitting')
    } finally {
      isDone = true
    }
    await busy
    expect(Math.min(counts.scans, counts.reversed, counts.full)).toBeGreaterThan(0)
  })

  test('a full scan can be divided at regions; its parts have every row once, also if a region splits after that', async () => {
    const Parts = defineTable('parts', { columns, key: ['host', 'n'], stores: { hbase: { splits: ['6832', '6834', '6836'] } } })
    const db = createMapper(server.adapter)
    await db.ensureTables([Parts])
    const rows = db.repository(Parts)
    await rows.putMany(Array.from({ length: 300 }, (_, i) => ({ host: `h${i % 10}`, n: i, note: '' })))
    for (const [count, parts] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [9, 4],
    ] as const) {
      const splits = await rows.parts(count)
      expect(splits).toHaveLength(parts)
      if (count === 3) await java.run('split', 'regions:parts', toHex(rows.encodeKey({ host: 'h5', n: 155 })))
      const found: number[] = []
      for (const split of splits) for await (const { n } of rows.readAll({ checkpoint: split })) found.push(n)
      expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i))
      if (count === 3) break
    }
    for (const checkpoint of ['', 'x', '.', 'a.b.c', '!.', `${'A'.repeat(60_000)}.`]) {
      if (checkpoint === '.') continue
      await expect(rows.readAll({ checkpoint }).toArray(), checkpoint).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    }
  })

  test('a table that was flushed and compacted still hides what was deleted, and shows what was written after that', async () => {
    const Rows = defineTable('compacted', { columns, key: ['host', 'n'] })
    const db = createMapper(server.adapter)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    for (let n = 0; n < 200; n++) {
      await rows.put({ host: 'a', n, note: 'old' })
      await rows.delete({ host: 'a', n })
      if (n % 2 === 0) await rows.put({ host: 'a', n, note: 'new' })
      if (n % 50 === 0) await java.run('flush', 'regions:compacted')
    }
    await java.run('flush', 'regions:compacted')
    await java.run('compact', 'regions:compacted')
    const found = await rows.scan({ host: 'a' }).toArray()
    expect(found).toEqual(Array.from({ length: 100 }, (_, i) => ({ host: 'a', n: 2 * i, note: 'new' })))
  })
})
