import {
  bucket,
  createMapper,
  decimal,
  defineTable,
  isRowkeyError,
  kuduHash,
  nullable,
  renameTable,
  text,
  timestamp,
  type TableSchema,
} from 'rowkey'
import { int32, uint32, uint8 } from 'rowkey/codec'
import { kuduStore } from '@rowkey/kudu'
import { afterEach, expect, test, vi } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { definition } from '../src/ddl.js'
import { connect, type Connected } from './connected.js'

const dayMs = 86_400_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the definition tells decimals with their point, and text without an open end', () => {
  const Prices = defineTable('prices', {
    columns: { price: decimal(5, 2), name: text() },
    key: ['price', 'name'],
    stores: { kudu: { range: { of: 'price', splits: ['1.50', '-0.05'] } } },
  })
  expect(definition(Prices, {}).text).toContain(
    'PARTITION VALUES < -0.05,\n  PARTITION -0.05 <= VALUES < 1.50,\n  PARTITION 1.50 <= VALUES',
  )
  const Names = defineTable('names', {
    columns: { name: text() },
    key: ['name'],
    stores: { kudu: { range: { splits: ["a\\'b"], of: 'name' } } },
  })
  expect(definition(Names, {}).text).toContain(String.raw`VALUES < 'a\\\'b'`)
})

/** A table of hours from some days ago. */
const hoursFrom = (ms: number): TableSchema =>
  defineTable('hours', {
    columns: { host: text(), at: timestamp('ms'), n: int32() },
    key: ['host', 'at'],
    salt: kuduHash({ of: 'host', count: 2 }),
    stores: { kudu: { range: { of: 'at', every: 'hour', from: new Date(ms).toISOString().slice(0, 10), ahead: 1 } } },
  })

test('a first day is fit whatever day it is: only a new table cannot have a hundred weeks of hours', () => {
  const Hours = hoursFrom(Date.parse('2020-01-01'))
  expect(kuduStore.hints?.['range']?.fits((Hours.stores['kudu'] as { range: unknown }).range, Hours)).toBe(true)
  expect(() => definition(Hours, {})).toThrow(/INVALID_OPTION: 'hours' cannot be created: .* more than 500 ranges\. Give a later day/)
})

withServer('kudu', (connection) => {
  async function opened(run: (connected: Connected) => Promise<void>): Promise<void> {
    const connected = await connect(connection)
    try {
      await run(connected)
    } finally {
      await connected.dispose()
    }
  }

  test('a table goes on when more than 500 ranges lie between its first day and now', async () => {
    await opened(async ({ adapter }) => {
      const began = Date.now()
      let now = began
      const Hours = hoursFrom(began - 10 * dayMs)
      const first = createMapper(adapter, { clock: () => now })
      await first.ensureTables([Hours])
      now += 12 * dayMs
      vi.useFakeTimers({ now, toFake: ['Date'] })
      const { add } = await first.rotate(Hours)
      expect(add.length).toBeGreaterThan(200)
      const later = createMapper(adapter, { clock: () => now })
      const again = hoursFrom(began - 10 * dayMs)
      await later.ensureTables([again])
      const rows = later.repository(again)
      await rows.put({ host: 'a', at: new Date(now), n: 1 })
      expect(await rows.get({ host: 'a', at: new Date(now) })).toMatchObject({ n: 1 })
      await later.dropTables([again])
    })
  })

  test('a first day that is later than the ranges of a table opens no gap', async () => {
    await opened(async ({ adapter }) => {
      const months = (from: string): TableSchema =>
        defineTable('months', {
          columns: { host: text(), at: timestamp('ms') },
          key: ['host', 'at'],
          stores: { kudu: { range: { of: 'at', every: 'month', from, ahead: 1 } } },
        })
      let now = Date.parse('2026-09-10')
      const db = createMapper(adapter, { clock: () => now })
      await db.ensureTables([months('2026-08-01')])
      now = Date.parse('2026-12-05')
      await db.rotate(months('2027-01-01'))
      const covered = (await db.partitions(months('2027-01-01'))).map(({ range }) =>
        (range?.from?.['at'] as Date).toISOString().slice(0, 7),
      )
      expect([...new Set(covered)].sort()).toEqual(expect.arrayContaining(['2026-11', '2026-12', '2027-01']))
    })
  })

  const withHash = [
    ['levels of the model', kuduHash({ of: 'host', count: 2 })],
    ['a bucket in a column', bucket({ of: 'host', count: 4 })],
  ] as const
  test.each(withHash)('a range with hash levels of its own is refused, also to who has read the table before: %s', async (_, salt) => {
    await opened(async ({ adapter, client, database }) => {
      const Days = defineTable('days', {
        columns: { day: uint32(), host: text(), n: int32() },
        key: ['day', 'host'],
        salt,
        stores: { kudu: { range: { of: 'day', bounds: [[0, 10]] } } },
      })
      const db = createMapper(adapter)
      await db.ensureTables([Days])
      const rows = db.repository(Days)
      await rows.put({ day: 1, host: 'a', n: 1 })
      expect(await rows.scan({ day: 1 }).toArray()).toHaveLength(1)
      const [{ columns }] = [await client.openTable(`${database}.days`)]
      const own = columns.some(({ name }) => name === 'rk_bucket') ? 'rk_bucket' : 'host'
      await client.alterTable(`${database}.days`, [
        { addRange: { from: { day: 10n }, to: { day: 20n }, hash: [{ columns: [own], buckets: 5 }] } },
      ])
      // A look at the table comes in the background, some seconds after the last one.
      const real = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => real() + 6000)
      await expect
        .poll(async () =>
          rows
            .scan({ day: 1 })
            .toArray()
            .then(
              () => '',
              (error: unknown) => (isRowkeyError(error) ? error.code : 'other'),
            ),
        ) // prettier-ignore
        .toBe('SCHEMA_MISMATCH')
      const other = createMapper(adapter).repository(renameTable(Days, 'days'))
      await expect(other.put({ day: 12, host: 'b', n: 1 })).rejects.toThrow(/SCHEMA_MISMATCH: .*hash levels of their own/s)
    })
  })

  test.each([
    ['uint8', uint8(), 7],
    ['uint32', uint32(), 7],
    ['timestamp', timestamp('ms'), new Date(7)],
    ['decimal', decimal(5, 2), '7.00'],
    ['wide decimal', decimal(38, 2), '7.00'],
    ['text', text(), 'x'],
    ['int32', int32(), 7],
  ] as const)('an end that leaves out its last column is told as it was given, and can be dropped: %s', async (_, type, value) => {
    await opened(async ({ adapter }) => {
      const Parts = defineTable('parts', {
        columns: { a: text(), b: type, n: int32() },
        key: ['a', 'b'],
        stores: { kudu: { range: { of: ['a', 'b'], splits: [['en']] } } },
      })
      const db = createMapper(adapter)
      await db.ensureTables([Parts])
      const rows = db.repository(Parts as never)
      await rows.put({ a: 'fr', b: value, n: 1 })
      const told = (await db.partitions(Parts)).map(({ range }) => range)
      expect(told).toEqual([{ to: { a: 'en' } }, { from: { a: 'en' } }])
      await db.dropRange(Parts, { from: { a: 'en' } })
      await db.addRange(Parts, { from: { a: 'en' } })
      expect(await rows.get({ a: 'fr', b: value })).toBeUndefined()
    })
  })

  test('a put clears a column that another program has added, also if a read has just begun to look at the table again', async () => {
    await opened(async ({ adapter }) => {
      const columns = { id: int32(), a: text() }
      const salt = kuduHash({ of: 'id', count: 2 })
      const older = defineTable('grown', { columns, key: ['id'], salt })
      const newer = defineTable('grown', { columns: { ...columns, b: nullable(text()) }, key: ['id'], salt })
      const db = createMapper(adapter)
      await db.ensureTables([older])
      const rows = db.repository(older)
      await rows.put({ id: 1, a: 'x' })
      await createMapper(adapter).ensureTables([newer])
      const others = createMapper(adapter).repository(newer)
      await others.put({ id: 1, a: 'x', b: 'added' })
      const real = performance.now.bind(performance)
      vi.spyOn(performance, 'now').mockImplementation(() => real() + 6000)
      await Promise.all([rows.get({ id: 1 }), rows.put({ id: 1, a: 'y' })])
      expect(await others.get({ id: 1 })).toEqual({ id: 1, a: 'y', b: null })
    })
  })

  test('tablets of a bucket in a column have no range', async () => {
    await opened(async ({ adapter }) => {
      const Salted = defineTable('salted', { columns: { a: text() }, key: ['a'], salt: bucket({ of: 'a', count: 4 }) })
      const db = createMapper(adapter)
      await db.ensureTables([Salted])
      expect((await db.partitions(Salted)).map(({ range }) => range)).toEqual([undefined, undefined, undefined, undefined])
    })
  })

  test('where no range is there is no row: nothing to delete, and none to update', async () => {
    await opened(async ({ adapter }) => {
      const Gaps = defineTable('gaps', {
        columns: { a: text(), day: uint32(), n: int32() },
        key: ['a', 'day'],
        stores: { kudu: { range: { of: 'day', bounds: [[0, 10]] } } },
      })
      const db = createMapper(adapter)
      await db.ensureTables([Gaps])
      const rows = db.repository(Gaps)
      await rows.put({ a: 'x', day: 1, n: 1 })
      await rows.delete({ a: 'x', day: 50 })
      await rows.deleteMany([
        { a: 'x', day: 50 },
        { a: 'x', day: 1 },
      ])
      expect(await rows.get({ a: 'x', day: 1 })).toBeUndefined()
      await expect(rows.update({ a: 'x', day: 50 }, { n: 2 })).rejects.toThrow(/ROW_NOT_FOUND/)
      await expect(rows.put({ a: 'x', day: 50, n: 2 })).rejects.toThrow(/NO_PARTITION/)
      await expect(rows.insert({ a: 'x', day: 50, n: 2 })).rejects.toThrow(/NO_PARTITION/)
    })
  })
})
