import type { Row } from 'rowkey/adapter'
import type { Client, types } from 'cassandra-driver'
import { atMost } from '../../duel/at-most.js'
import { buckets, type Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'
import { createTables } from './keyspace.js'

const options = { prepare: true, isIdempotent: true, fetchSize: 0 } as const
const batchRows = 100

/** Prepared statements, written for this one table; batches of one partition. */
export async function byHand(client: Client, { groups, spread }: Stored): Promise<Way<Row, Row>> {
  const tables = await createTables(client)
  const insert = `INSERT INTO ${tables.events} (host, event, at, level, message) VALUES (?, ?, ?, ?, ?)`
  const columns = 'SELECT host, event, at, level, message FROM'
  const get = `${columns} ${tables.events} WHERE host = ? AND event = ? AND at = ?`
  const getSome = `${columns} ${tables.events} WHERE host = ? AND event = ? AND at IN ?`
  const scan = `${columns} ${tables.events} WHERE host = ? AND event = ? AND at >= ? LIMIT ?`
  const reverse = `${columns} ${tables.events} WHERE host = ? AND event = ? AND at <= ? ORDER BY event DESC, at DESC LIMIT ?`
  const bucketScan = `${columns} ${tables.spread} WHERE host = ? AND bucket = ? AND event = ? AND at >= ? LIMIT ?`
  const paramsOf = ([host, event, at, level, message]: Row): unknown[] => [host, event, new Date(at as number), level, message]
  const keyOf = (row: Row): unknown[] => [row[0], row[1], new Date(row[2] as number)]
  const rowOf = (row: types.Row): Row => [row['host'], row['event'], (row['at'] as Date).getTime(), row['level'], row['message']] as Row
  const query = async (text: string, params: unknown[]): Promise<Row[]> => (await client.execute(text, params, options)).rows.map(rowOf)
  const putMany = (rows: readonly Row[]): Promise<void> => {
    const batches: { query: string; params: unknown[] }[][] = []
    let host: unknown
    for (const row of rows) {
      const last = batches.at(-1)
      const statement = { query: insert, params: paramsOf(row) }
      if (last === undefined || last.length === batchRows || row[0] !== host) batches.push([statement])
      else last.push(statement)
      host = row[0]
    }
    return atMost(32, batches, async (batch) => {
      await client.batch(batch, { ...options, logged: false })
    })
  }
  for (const group of groups) await putMany(group.map((sample) => paramsRow(sample)))
  const insertSpread = `INSERT INTO ${tables.spread} (host, bucket, event, at, level, message) VALUES (?, ?, ?, ?, ?, ?)`
  await atMost(64, spread, async ({ host, event, at, level, message }) => {
    await client.execute(insertSpread, [host, Math.floor(at / 1000) % buckets, event, new Date(at), level, message], options)
  })
  return {
    given: paramsRow,
    sampleOf: ([host, event, at, level, message]) => ({ host, event, at, level, message }) as Sample,
    put: (row) => client.execute(insert, paramsOf(row), options),
    putMany,
    load: putMany,
    get: async (row) => (await query(get, keyOf(row)))[0],
    async getMany(rows) {
      const [[host, event]] = rows as readonly [Row]
      const found = await query(getSome, [host, event, rows.map((row) => new Date(row[2] as number))])
      const byTime = new Map(found.map((row) => [row[2], row]))
      return rows.map((row) => byTime.get(row[2] as number))
    },
    scan: (row) => query(scan, [...keyOf(row), scanned]),
    reverse: (row) => query(reverse, [...keyOf(row), scanned]),
    async spread([host, event, at]) {
      const from = new Date(at as number)
      const lists = await Promise.all(
        Array.from({ length: buckets }, (_, bucket) => query(bucketScan, [host, bucket, event, from, scanned])),
      )
      const rows = lists.flat()
      return rows.sort((a, b) => (a[2] as number) - (b[2] as number)).slice(0, scanned)
    },
  }
}

const paramsRow = ({ host, event, at, level, message }: Sample): Row => [host, event, at, level, message]
