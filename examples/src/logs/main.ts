import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { createMapper, type InferRow } from 'rowkey'
import { openStores } from '../stores/open-stores.js'
import { table } from '../stores/table.js'
import { LogEvents } from './models.js'

// The logs of a cluster, asked for by host, by event and by time, on every store: one table with two indexes.
const text = gunzipSync(readFileSync(new URL('../../data/server-logs.csv.gz', import.meta.url)))
const records: Record<'seq' | 'host' | 'event' | 'ts' | 'level' | 'message', string>[] = parse(text, { columns: true })
const logged = records
  .slice(0, 600)
  .map(({ seq, ts, host, event, level, message }) => ({ seq: Number(seq), at: new Date(ts), host, event, level, message }))

const stores = await openStores()
const lines = [['store', 'rows', 'newest of the host', 'newest of the event', 'in a second', 'lost']]
for (const { name, adapter } of stores.open) {
  const db = createMapper(adapter, { prefix: 'logs_' })
  await db.dropTables([LogEvents])
  await db.ensureTables([LogEvents])
  const logs = db.repository(LogEvents)
  const { rows } = await logs.putMany(logged)

  const ofHost = await logs.scan({ host: 'cassandra-1' }, { limit: 3 }).toArray()
  const ofEvent = await logs.scan({ event: 'ColumnFamilyStore' }, { index: 'byEvent', limit: 3 }).toArray()
  const second = { gte: new Date('2026-11-21T15:52:03Z'), lt: new Date('2026-11-21T15:52:04Z') }
  const inSecond = await logs.scan({ at: second }, { index: 'byTime' }).count()
  const reports = await Promise.all(['byEvent', 'byTime'].map((index) => db.verifyIndex(LogEvents, index)))
  const lost = reports.reduce((sum, { missing }) => sum + missing, 0)

  lines.push([name, String(rows), numbers(ofHost), numbers(ofEvent), String(inSecond), String(lost)])
  await db.close()
}
await stores.stop()

console.log(table(lines))
for (const [name, why] of stores.missing) console.log(`${name}: left out, ${why}`)

function numbers(rows: readonly InferRow<typeof LogEvents>[]): string {
  return rows.map(({ seq }) => seq).join(' ')
}
