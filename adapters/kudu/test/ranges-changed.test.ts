import { createMapper, defineTable, type Mapper } from 'rowkey'
import { desc, int32, text, timestamp } from 'rowkey/codec'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'

const dayMs = 86_400_000
const start = Date.parse('2026-03-02T00:00:00Z')
const dayAt = (day: number, ms = 0): Date => new Date(start + day * dayMs + ms)
const rangeOf = (day: number) => ({ from: { at: dayAt(day) }, to: { at: dayAt(day + 1) } })

/** Three ranges of a day, which nobody rotates. */
const bounds = [0, 1, 2].map((day) => [dayAt(day).toISOString(), dayAt(day + 1).toISOString()])
const range = { of: 'at', bounds } as never

const InOrder = defineTable('in_order', {
  columns: { host: text(), at: timestamp('ms'), n: int32() },
  key: ['host', 'at'],
  stores: { kudu: { range } },
})
const Turned = defineTable('turned', {
  columns: { host: text(), at: desc(timestamp('ms')), n: int32() },
  key: ['host', 'at'],
  stores: { kudu: { range } },
})
/** Its ranges are of a column after one that scans leave open. */
const Merged = defineTable('merged', {
  columns: { host: text(), n: int32(), at: timestamp('ms') },
  key: ['host', 'n', 'at'],
  stores: { kudu: { range } },
})

withServer('kudu', (connection) => {
  async function opened(run: (db: Mapper, setNow: (ms: number) => void) => Promise<void>): Promise<void> {
    const { adapter, dispose } = await connect(connection)
    let now = Date.now()
    const db = createMapper(adapter, { clock: () => now })
    try {
      await run(db, (ms) => (now = ms))
    } finally {
      await dispose()
    }
  }

  const perDay = 2_000
  const rows = [0, 1, 2].flatMap((day) => Array.from({ length: perDay }, (_, i) => ({ host: 'h', at: dayAt(day, i), n: day * perDay + i })))
  const dayOf = ({ at }: { at: Date }): number => Math.floor((at.getTime() - start) / dayMs)

  test.each([
    ['ranges in the order of the key', InOrder, 1],
    ['ranges in the opposite order', Turned, 1],
    ['ranges that are merged', Merged, 1],
    ['ranges in the order of the key, the last one', InOrder, 2],
    ['ranges that are merged, the last one', Merged, 2],
  ] as const)('a range dropped while a scan reads: %s', async (_, Table, dropped) => {
    await opened(async (db) => {
      await db.ensureTables([Table])
      const table = db.repository(Table as typeof InOrder)
      await table.putMany(rows)
      const read: { at: Date; n: number }[] = []
      for await (const row of table.scan({ host: 'h' }, { prefetch: false })) {
        if (read.length === 0) await db.dropRange(Table, rangeOf(dropped))
        read.push(row)
      }
      const kept = rows.filter((row) => dayOf(row) !== dropped)
      const found = read.filter((row) => dayOf(row) !== dropped).toSorted((a, b) => a.n - b.n)
      expect(found).toEqual(kept)
      expect(read.length).toBeLessThan(rows.length)
      expect(await table.scan({ host: 'h' }).count()).toBe(kept.length)
    })
  })

  test('a range dropped and added again while a scan reads: the rows that it has now are found in their order', async () => {
    await opened(async (db) => {
      await db.ensureTables([InOrder])
      const table = db.repository(InOrder)
      await table.putMany(rows)
      const read: number[] = []
      for await (const { n } of table.scan({ host: 'h' }, { prefetch: false })) {
        if (read.length === 0) {
          await db.dropRange(InOrder, rangeOf(1))
          await db.addRange(InOrder, rangeOf(1))
          await table.put({ host: 'h', at: dayAt(1, 7), n: -7 })
        }
        read.push(n)
      }
      expect(read.slice(0, perDay)).toEqual(rows.slice(0, perDay).map(({ n }) => n))
      expect(read.slice(perDay)).toEqual([-7, ...rows.slice(2 * perDay).map(({ n }) => n)])
    })
  })

  test('a range dropped while everything is read', async () => {
    await opened(async (db) => {
      await db.ensureTables([InOrder])
      const table = db.repository(InOrder)
      await table.putMany(rows)
      const days: number[] = []
      for await (const row of table.readAll()) {
        if (days.length === 0) await db.dropRange(InOrder, rangeOf(1))
        days.push(dayOf(row))
      }
      expect(days.filter((day) => day === 0)).toHaveLength(perDay)
      expect(days.filter((day) => day === 2)).toHaveLength(perDay)
    })
  })

  test('all ranges dropped: nothing is read, and writes say what is missing', async () => {
    await opened(async (db) => {
      await db.ensureTables([InOrder])
      const table = db.repository(InOrder)
      await table.putMany(rows.slice(0, 10))
      for (const day of [0, 1, 2]) await db.dropRange(InOrder, rangeOf(day))
      expect(await table.scan({ host: 'h' }).toArray()).toEqual([])
      expect(await db.partitions(InOrder)).toEqual([])
      await expect(table.put(rows[0] as (typeof rows)[0])).rejects.toMatchObject({ code: 'NO_PARTITION' })
    })
  })

  test('rotation of a table with a ttl keeps a range as long as a row of it lives', async () => {
    const Sessions = defineTable('sessions', {
      columns: { user: text(), at: timestamp('ms') },
      key: ['user', 'at'],
      writes: 'plain',
      ttl: '2d',
      stores: { kudu: { range: { of: 'at', every: 'day', from: '2026-03-02', ahead: 1 }, expire: 'rotate' } },
    })
    await opened(async (db, setNow) => {
      await db.ensureTables([Sessions])
      const sessions = db.repository(Sessions)
      const begins = async (): Promise<number[]> => (await db.partitions(Sessions)).map((each) => dayOf(each.range?.from as { at: Date }))
      setNow(dayAt(0).getTime())
      await sessions.put({ user: 'short', at: dayAt(0) })
      await sessions.put({ user: 'long', at: dayAt(0) }, { expires: '9d' })
      await sessions.put({ user: 'short', at: dayAt(1) })
      setNow(dayAt(2).getTime())
      await sessions.put({ user: 'late', at: dayAt(1) })
      setNow(dayAt(4, -1).getTime())
      await db.rotate(Sessions)
      expect((await begins()).slice(0, 2)).toEqual([0, 1]) // a row of each lives
      expect(await sessions.get({ user: 'long', at: dayAt(0) })).toBeDefined()
      setNow(dayAt(4).getTime())
      await db.rotate(Sessions)
      expect((await begins()).slice(0, 2)).toEqual([0, 2])
      setNow(dayAt(9).getTime())
      await db.rotate(Sessions)
      expect((await begins())[0]).toBeGreaterThan(2)
    })
  })

  test('ranges from a day to come: the table has those, and rotates when they begin', async () => {
    const Later = defineTable('later', {
      columns: { host: text(), at: timestamp('ms') },
      key: ['host', 'at'],
      stores: { kudu: { range: { of: 'at', every: 'year', from: '2096-01-01', ahead: 1 } } },
    })
    await opened(async (db) => {
      await db.ensureTables([Later])
      const later = db.repository(Later)
      await expect(later.put({ host: 'h', at: dayAt(0) })).rejects.toMatchObject({ code: 'NO_PARTITION' })
      await later.put({ host: 'h', at: new Date('2096-02-29T00:00:00Z') })
      expect(await db.rotate(Later)).toEqual({ add: [], drop: [] })
    })
  })

  test('ranges cannot be declared for a table that has none, nor of another column', async () => {
    const columns = { host: text(), at: timestamp('ms'), seen: timestamp('ms') }
    const key = ['host', 'at', 'seen'] as const
    const declared = (kudu: object | undefined) =>
      defineTable('moved', { columns, key, ...(kudu === undefined ? {} : { stores: { kudu } }) })
    await opened(async (db) => {
      await db.ensureTables([declared(undefined)])
      const ensured = await createMapper(db.adapter)
        .ensureTables([declared({ range })])
        .catch((error: unknown) => error)
      expect(ensured).toMatchObject({ code: 'SCHEMA_MISMATCH' })
      expect(String(ensured)).toContain('copyTable()')
    })
  })
})
