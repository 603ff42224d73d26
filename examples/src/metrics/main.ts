// The metrics of Kudu's guide, partitioned in four ways: what writes reach, and what reads are spared.
import { kudu } from '@rowkey/kudu'
import { KuduClient } from '@rowkey/kudu-client'
import { createMapper, isRowkeyError } from 'rowkey'
import { Servers } from '../stores/servers.js'
import { ByBoth, ByHash, ByRange, ByTwo } from './models.js'

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1000n

/** A day of readings, each minute of an hour of 20 hosts. */
const readings = Array.from({ length: 20 * 5 }, (_, i) => ({ host: `web-${i % 20}`, metric: `m${Math.floor(i / 20)}` })).flatMap((series) =>
  Array.from({ length: 10 }, (_, minute) => ({ ...series, time: at('2016-06-01T12:00Z') + BigInt(minute) * 60_000_000n, value: minute })),
)

const servers = new Servers()
const server = await servers.connect('kudu')
if (server === undefined) {
  console.log(`There is no Kudu: ${servers.missing.get('kudu') ?? ''}. See docs/guide/stores.md.`)
} else {
  const client = new KuduClient({ masters: [...server.connection.masters] })
  const db = createMapper(kudu(client, { database: 'guide' }))
  console.log('                                        tablets  written  host, metric  and March 2015  a row of 2017')
  for (const [design, model] of [
    ['range(time)', ByRange],
    ['hash(host, metric) 4', ByHash],
    ['hash(host, metric) 4 × range(time)', ByBoth],
    ['hash(host) 4 × hash(metric) 3', ByTwo],
  ] as const) {
    await db.dropTables([model])
    await db.ensureTables([model])
    const metrics = db.repository(model)
    await metrics.putMany(readings)
    const all = await db.partitions(model, { countRows: true })
    const reads = async (where: object): Promise<number> =>
      (await metrics.scan({ host: 'web-1', metric: 'm1', ...where }).partitions()).length
    const next = await metrics.put({ host: 'web-1', metric: 'm1', time: at('2017-01-02T00:00Z'), value: 1 }).then(
      () => 'written',
      (error: unknown) => (isRowkeyError(error) ? error.code : Promise.reject(error as Error)),
    )
    const figures = [
      all.length,
      all.filter(({ rows = 0 }) => rows > 0).length,
      await reads({}),
      await reads({ time: { gte: at('2015-03-01T00:00Z'), lt: at('2015-04-01T00:00Z') } }),
    ]
    const widths = [9, 9, 14, 16]
    console.log(`${design.padEnd(38)}${figures.map((figure, i) => String(figure).padStart(widths[i] ?? 0)).join('')}  ${next.padStart(13)}`)
    await db.dropTables([model])
  }
  await db.close()
  await client.close()
}
await servers.stop()
