import type { KuduClient, KuduTable, RowBatch, Scan, TableDefinition } from '@rowkey/kudu-client'
import type { Row } from 'rowkey/adapter'
import { buckets, type Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'

const columns = [
  { name: 'host', type: 'STRING', isKey: true },
  { name: 'event', type: 'STRING', isKey: true },
  { name: 'at', type: 'UNIXTIME_MICROS', isKey: true },
  { name: 'level', type: 'STRING', isKey: false, isNullable: true },
  { name: 'message', type: 'STRING', isKey: false, isNullable: true },
] as const

const hosts: TableDefinition = { name: `hand_${process.pid}`, columns, hash: [{ columns: ['host'], buckets: 4 }], range: [] }
const spreadHosts: TableDefinition = {
  name: `spread_${process.pid}`,
  columns: [{ name: 'bucket', type: 'INT32', isKey: true }, ...columns],
  range: ['bucket'],
  splits: Array.from({ length: buckets - 1 }, (_, i) => ({ bucket: i + 1 })),
}

/** Calls of the client, written for these tables. */
export async function byHand(client: KuduClient, { groups, spread }: Stored): Promise<Way<Row, Row>> {
  const [table, wide] = [await client.createTable(hosts), await client.createTable(spreadHosts)]
  const putMany = async (rows: readonly Row[], bucketOf?: (row: Row) => number): Promise<void> => {
    const operations = rows.map(
      (row) => ({ type: 'upsert', row: bucketOf === undefined ? stored(row) : [bucketOf(row), ...stored(row)] }) as const,
    )
    const { errors } = await client.write(bucketOf === undefined ? table : wide, operations)
    if (errors.some((error) => error !== undefined)) throw new Error('a row is not written')
  }
  for (const group of groups) await putMany(group.map(rowOf))
  await putMany(spread.map(rowOf), ([, , at]) => bucketAt(at as number))
  const scan = async (of: KuduTable, scan: Scan): Promise<Row[]> => {
    const rows: Row[] = []
    for await (const batch of client.scan(of, { columns: names, limit: scanned, isOrdered: true, ...scan })) found(batch, rows)
    return rows
  }
  const get = async (keys: readonly Row[]): Promise<(Row | undefined)[]> => {
    const rows = await client.getMany(table, keys.map(keyOf), { columns: names })
    return rows.map(
      (row) =>
        row && [row['host'] as string, row['event'] as string, ms(row['at'] as bigint), row['level'] as string, row['message'] as string],
    )
  }
  return {
    given: rowOf,
    sampleOf: ([host, event, at, level, message]) => ({ host, event, at, level, message }) as Sample,
    put: (row) => client.upsert(table, stored(row)),
    putMany,
    load: putMany,
    get: async (row) => (await get([row]))[0],
    getMany: get,
    scan: (row) => scan(table, { where: [{ column: 'host', equals: row[0] as string }], start: keyOf(row), stop: endOf(row) }),
    async spread(row) {
      const each = Array.from({ length: buckets }, (_, bucket) =>
        scan(wide, { where: [{ column: 'bucket', equals: bucket }], start: [bucket, ...keyOf(row)], stop: [bucket, ...endOf(row)] }),
      )
      return (await Promise.all(each))
        .flat()
        .sort((a, b) => (a[2] as number) - (b[2] as number))
        .slice(0, scanned)
    },
  }
}

const names = columns.map(({ name }) => name)

const rowOf = ({ host, event, at, level, message }: Sample): Row => [host, event, at, level, message]

const bucketAt = (at: number): number => Math.floor(at / 1000) % buckets

const ms = (micros: bigint): number => Number(micros / 1000n)

type Stored5 = [host: string, event: string, at: number, level: string, message: string]

const stored = ([host, event, at, level, message]: Row): Stored5 => [host, event, (at as number) * 1000, level, message] as Stored5

const keyOf = ([host, event, at]: Row): [string, string, number] => [host as string, event as string, (at as number) * 1000]

/** After all rows of a host and event. */
const endOf = ([host, event]: Row): [string, string] => [host as string, `${event as string}\0`]

function found(batch: RowBatch, rows: Row[]): void {
  for (let i = 0; i < batch.length; i++) {
    rows.push([batch.value(i, 0), batch.value(i, 1), ms(batch.value(i, 2) as bigint), batch.value(i, 3), batch.value(i, 4)])
  }
}
