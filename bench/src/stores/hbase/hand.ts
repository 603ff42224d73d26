import type { Get, HBaseClient, Put, Result, Scan } from '@rowkey/hbase-client'
import type { Row } from 'rowkey/adapter'
import { buckets, type Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'

const family = Buffer.from('f')
const [level, message] = [Buffer.from('level'), Buffer.from('message')]
const [hosts, spreadHosts] = [`hand_${process.pid}`, `spread_${process.pid}`]

/** Calls of the client, written for these tables: the host, the event and the time with a byte between them, and after the bucket in one of them. */
export async function byHand(client: HBaseClient, { groups, spread }: Stored): Promise<Way<Row, Row>> {
  for (const name of [hosts, spreadHosts]) {
    await client.createTable({ name, families: [{ name: 'f', maxVersions: 1, attributes: { NEW_VERSION_BEHAVIOR: 'true' } }] })
  }
  const putMany = async (rows: readonly Row[]): Promise<void> => {
    for (let at = 0; at < rows.length; at += 1000)
      await client.putMany(
        hosts,
        rows.slice(at, at + 1000).map((row) => putOf(row)),
      )
  }
  for (const group of groups) await putMany(group.map(rowOf))
  await client.putMany(
    spreadHosts,
    spread.map((sample) => putOf(rowOf(sample), bucketOf(sample.at))),
  )
  const scan = async (table: string, range: Scan): Promise<Row[]> => {
    const results = await client.scan(table, { ...range, limit: scanned, caching: scanned }, scanned)
    return results.map((result) => found(result, table === spreadHosts ? 1 : 0))
  }
  return {
    given: rowOf,
    sampleOf: ([host, event, at, level, message]) => ({ host, event, at, level, message }) as Sample,
    put: (row) => client.put(hosts, putOf(row)),
    putTogether: putMany,
    putMany,
    load: putMany,
    async get(row) {
      const result = await client.get(hosts, getOf(row))
      return result.row === undefined ? undefined : found(result)
    },
    getTogether: (rows) => client.getMany(hosts, rows.map(getOf)),
    async getMany(rows) {
      const results = await client.getMany(hosts, rows.map(getOf))
      return results.map((result) => (result.row === undefined ? undefined : found(result)))
    },
    scan: ([host, event, at]) => scan(hosts, { start: keyOf([host, event, at] as Row), stop: endOf([host, event] as Row) }),
    reverse: ([host, event, at]) =>
      scan(hosts, { start: keyOf([host, event, at] as Row), stop: prefixOf(`${String(host)}\0${String(event)}\0`), reversed: true }),
    async spread([host, event, at]) {
      const each = Array.from({ length: buckets }, (_, bucket) =>
        scan(spreadHosts, { start: keyOf([host, event, at] as Row, bucket), stop: endOf([host, event] as Row, bucket) }),
      )
      const rows = (await Promise.all(each)).flat()
      return rows.sort((a, b) => (a[2] as number) - (b[2] as number)).slice(0, scanned)
    },
  }
}

const rowOf = ({ host, event, at, level, message }: Sample): Row => [host, event, at, level, message]

const bucketOf = (at: number): number => Math.floor(at / 1000) % buckets

const prefixOf = (text: string, bucket?: number): Buffer =>
  Buffer.from(bucket === undefined ? text : String.fromCharCode(bucket) + text, 'latin1')

function keyOf([host, event, at]: Row, bucket?: number): Buffer {
  const prefix = prefixOf(`${String(host)}\0${String(event)}\0`, bucket)
  const key = Buffer.allocUnsafe(prefix.length + 8)
  prefix.copy(key)
  key.writeBigInt64BE(BigInt(at as number), prefix.length)
  return key
}

/** After all rows of a host and event. */
const endOf = ([host, event]: Row, bucket?: number): Buffer => prefixOf(`${String(host)}\0${String(event)}\u0001`, bucket)

const getOf = (row: Row): Get => ({ row: keyOf(row), columns: [{ family }] })

const putOf = (row: Row, bucket?: number): Put => ({
  row: keyOf(row, bucket),
  cells: [
    { family, qualifier: level, value: Buffer.from(row[3] as string) },
    { family, qualifier: message, value: Buffer.from(row[4] as string) },
  ],
})

function found({ row, cells }: Result, skip = 0): Row {
  const key = Buffer.from(row?.buffer ?? Buffer.alloc(0).buffer, row?.byteOffset, row?.length)
  const [host, event] = key.toString('latin1', skip, key.length - 8).split('\0')
  const values = cells.map(({ value }) => Buffer.from(value.buffer, value.byteOffset, value.length).toString())
  return [host as string, event as string, Number(key.readBigInt64BE(key.length - 8)), values[0] as string, values[1] as string]
}
