import type { RangeHint } from '@rowkey/kudu'
import { defineTable, float64, kuduHash, text, timestamp, type Mapper } from 'rowkey'
import { expect } from 'vitest'
import { codeOf, type AddLine, type GuideStore } from './line.js'

const columns = { host: text(), metric: text(), time: timestamp('ms'), value: float64() }
const key = ['host', 'metric', 'time'] as const
const salts = {
  none: [],
  together: [kuduHash({ of: ['host', 'metric'], count: 4 })],
  levels: [kuduHash({ of: 'host', count: 4 }), kuduHash({ of: 'metric', count: 3 })],
} as const

/** The guide's table of metrics with ranges of time. */
const metricsBy = (range: RangeHint, salt: keyof typeof salts = 'none') =>
  defineTable('metrics', { columns, key, salt: salts[salt], stores: { kudu: { range } } })

const year = (number: number): Date => new Date(Date.UTC(number, 0, 1))
const years = (from: number, to: number) => ({ from: { time: year(from) }, to: { time: year(to) } })
const at = (number: number, value = 0) => ({ host: 'host01', metric: 'cpu', time: new Date(Date.UTC(number, 6, 1)), value })

const bounded: RangeHint = { of: 'time', bounds: [['2014-01-01', '2017-01-01']], splits: ['2015-01-01', '2016-01-01'] }
const open: RangeHint = { of: 'time', splits: ['2015-01-01', '2016-01-01'] }

async function filled(store: GuideStore, range: RangeHint, salt?: keyof typeof salts) {
  const Metrics = metricsBy(range, salt)
  const db = await store.create([Metrics])
  const metrics = db.repository(Metrics)
  const hosts = Array.from({ length: 12 }, (_, i) => `host${String(i).padStart(2, '0')}`)
  const rows = hosts.flatMap((host) =>
    ['cpu', 'disk', 'mem'].flatMap((metric) => [2014, 2015, 2016].map((each) => ({ ...at(each, each), host, metric }))),
  )
  await metrics.putMany(rows)
  return { db, Metrics, metrics, rows }
}

const rangesOf = async (db: Mapper, model: ReturnType<typeof metricsBy>): Promise<readonly unknown[]> => {
  const found = new Map((await db.partitions(model)).map(({ range }) => [JSON.stringify(range), range]))
  return [...found.values()].toSorted((a, b) => timeOf(a?.from) - timeOf(b?.from))
}

const timeOf = (values: Readonly<Record<string, unknown>> | undefined): number =>
  (values?.['time'] as Date | undefined)?.getTime() ?? -Infinity

/** Ranges of Kudu, which no other store has. */
export function kuduRanges(add: AddLine): void {
  const line = (title: string, run: Parameters<AddLine>[1]): void => add(title, run, {}, ['kudu'])
  declared(line)
  changed(line)
  pruned(line)
}

type Add = (title: string, run: Parameters<AddLine>[1]) => void

function declared(line: Add): void {
  line('G-80 G-81 G-100: two splits without bounds are three ranges with open ends, and each is one tablet', async (store) => {
    const { db, Metrics, metrics, rows } = await filled(store, open)
    expect(await rangesOf(db, Metrics)).toEqual([{ to: { time: year(2015) } }, years(2015, 2016), { from: { time: year(2016) } }])
    expect(await db.partitions(Metrics)).toHaveLength(3)
    expect(await metrics.readAll().count()).toBe(rows.length)
    await metrics.put(at(1970))
    await metrics.put(at(2100))
  })

  line('G-81 G-101: bounds with splits are ranges between them, and what is outside is refused', async (store) => {
    const { db, Metrics, metrics } = await filled(store, bounded)
    expect(await rangesOf(db, Metrics)).toEqual([years(2014, 2015), years(2015, 2016), years(2016, 2017)])
    expect(await codeOf(() => metrics.put(at(2013)))).toBe('NO_PARTITION')
    expect(await codeOf(() => metrics.put(at(2017)))).toBe('NO_PARTITION')
    expect(await metrics.get(at(2017))).toBeUndefined()
    expect(await metrics.scan({ host: 'host01', metric: 'cpu', time: { gte: year(2017) } }).toArray()).toEqual([])
  })

  line('G-82: without bounds and splits one range takes everything', async (store) => {
    const Metrics = metricsBy({ of: 'time', splits: [] })
    const db = await store.create([Metrics])
    expect((await db.partitions(Metrics)).map(({ range }) => range)).toEqual([{}])
    await db.repository(Metrics).putMany([at(1), at(9999)])
  })

  line('G-79: range columns are of the key', async (store) => {
    const Outside = defineTable('outside', { columns, key, stores: { kudu: { range: { of: 'value', splits: [1] } } } })
    expect(await codeOf(() => store.create([Outside]))).toBe('INVALID_OPTION')
  })

  line('G-83: ranges that overlap are refused', async (store) => {
    const Overlapping = metricsBy({ of: 'time', bounds: [['2014-01-01', '2016-01-01'], ['2015-01-01', '2017-01-01']] }) // prettier-ignore
    expect(['INVALID_OPTION', 'STORE_REFUSED']).toContain(await codeOf(() => store.create([Overlapping])))
  })
}

function changed(line: Add): void {
  line('G-84 G-85 G-86 G-104: ranges are added and dropped at run time, with their rows, and never overlap', async (store) => {
    const { db, Metrics, metrics, rows } = await filled(store, bounded)
    await db.addRange(Metrics, years(2017, 2018))
    await metrics.put(at(2017))
    expect(await codeOf(() => db.addRange(Metrics, { from: { time: year(2013) }, to: { time: new Date('2014-01-02') } }))).toBe(
      'STORE_REFUSED',
    )
    await db.dropRange(Metrics, years(2014, 2015))
    expect(await metrics.get(at(2014))).toBeUndefined()
    expect(await metrics.readAll().count()).toBe((rows.length * 2) / 3 + 1)
    expect(await rangesOf(db, Metrics)).toEqual([years(2015, 2016), years(2016, 2017), years(2017, 2018)])
  })

  line('G-87 G-88: a rotation adds the next period and drops the oldest in one step, and says before what it will do', async (store) => {
    let now = Date.now()
    const Logs = metricsBy({ of: 'time', every: 'day', ahead: 1, keep: 1 }, 'together')
    const db = await store.create([Logs], { clock: () => now })
    const logs = db.repository(Logs)
    await logs.put({ ...at(0), time: new Date(now) })
    now += 2 * 86_400_000
    const planned = await db.rotate(Logs, { dryRun: true })
    expect([planned.add.length, planned.drop.length]).toEqual([2, 1])
    expect(await logs.readAll().count()).toBe(1)
    expect(await db.rotate(Logs)).toEqual(planned)
    expect(await logs.readAll().count()).toBe(0)
    await logs.put({ ...at(0), time: new Date(now) })
    expect(await db.rotate(Logs)).toEqual({ add: [], drop: [] })
  })
}

function pruned(line: Add): void {
  const read = async (metrics: Awaited<ReturnType<typeof filled>>['metrics'], where: object): Promise<number> =>
    (await metrics.scan(where as never, { unbounded: true, maxFanOut: 100 } as never).partitions()).length

  line('G-97 G-102: ranges are pruned by a moment and by a span of time', async (store) => {
    const { metrics } = await filled(store, bounded)
    const series = { host: 'host01', metric: 'cpu' }
    expect(await read(metrics, { ...series, time: at(2015).time })).toBe(1)
    expect(await read(metrics, { ...series, time: { gte: at(2014).time, lt: year(2016) } })).toBe(2)
    expect(await read(metrics, { ...series, time: { lt: year(2014) } })).toBe(0)
    expect(await read(metrics, series)).toBe(3)
  })

  line(
    'G-51 G-78 G-94 G-110: four hash buckets and three ranges are twelve tablets; each prunes on its own, and rows are even',
    async (store) => {
      const { db, Metrics, metrics, rows } = await filled(store, bounded, 'together')
      const tablets = await db.partitions(Metrics, { countRows: true })
      expect(tablets).toHaveLength(12)
      expect(tablets.reduce((sum, tablet) => sum + (tablet.rows ?? 0), 0)).toBe(rows.length)
      expect(Math.max(...tablets.map((tablet) => tablet.rows ?? 0))).toBeLessThan(rows.length / 5)
      expect(await read(metrics, { host: 'host01', metric: 'cpu', time: at(2015).time })).toBe(1)
      expect(await read(metrics, { host: 'host01', metric: 'cpu' })).toBe(3)
      expect(await read(metrics, { time: at(2015).time })).toBe(4)
      await db.addRange(Metrics, years(2017, 2018))
      expect(await db.partitions(Metrics)).toHaveLength(16)
    },
  )

  line('G-112: two hash levels and ranges: 4 x 3 x 3 tablets, of which each level prunes its part', async (store) => {
    const { db, Metrics, metrics, rows } = await filled(store, bounded, 'levels')
    expect(await db.partitions(Metrics)).toHaveLength(36)
    expect(await read(metrics, { host: 'host01' })).toBe(9)
    expect(await read(metrics, { metric: 'cpu', time: { gte: year(2016) } })).toBe(4)
    expect(await read(metrics, { host: 'host01', metric: 'cpu', time: at(2016).time })).toBe(1)
    expect(await metrics.scan({}, { unbounded: true }).toArray()).toEqual(rows)
  })
}
