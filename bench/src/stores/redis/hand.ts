import { Redis } from 'ioredis'
import { pack, unpack } from 'msgpackr'
import type { Row } from 'rowkey/adapter'
import { buckets, type Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'

/** What `sampleOf` and `given` are for rows by position. */
export const positional: Pick<Way<Row, Row>, 'given' | 'sampleOf'> = {
  given: ({ host, event, at, level, message }) => [host, event, at, level, message],
  sampleOf: ([host, event, at, level, message]) => ({ host, event, at, level, message }) as Sample,
}

/** A client with the scripts of a careful programmer. */
export interface HandRedis extends Redis {
  page(index: string, values: string, low: Buffer, high: Buffer, rows: number, reverse: number): Promise<unknown>
  pageBuffer(index: string, values: string, low: Buffer, high: Buffer, rows: number, reverse: number): Promise<[Buffer[], Buffer[]]>
  putRows(index: string, values: string, ...keysAndRecords: Buffer[]): Promise<unknown>
}

const pageScript = `
local keys
if ARGV[4] == '1' then keys = redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[1], 'BYLEX', 'REV', 'LIMIT', 0, ARGV[3])
else keys = redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'BYLEX', 'LIMIT', 0, ARGV[3]) end
if #keys == 0 then return {keys, keys} end
return {keys, redis.call('HMGET', KEYS[2], unpack(keys))}`

const putScript = `
local scored = {}
for i = 1, #ARGV / 2 do
  scored[2 * i - 1] = 0
  scored[2 * i] = ARGV[2 * i - 1]
end
redis.call('HSET', KEYS[2], unpack(ARGV))
redis.call('ZADD', KEYS[1], unpack(scored))`

export function connect(url: string, options: { readonly enableAutoPipelining?: boolean } = {}): HandRedis {
  const client = new Redis(url, options)
  client.defineCommand('page', { numberOfKeys: 2, lua: pageScript })
  client.defineCommand('putRows', { numberOfKeys: 2, lua: putScript })
  return client as HandRedis
}

const prefix = `h${process.pid}`
export const indexOf = (host: string): string => `${prefix}:${host}:z`
export const valuesOf = (host: string): string => `${prefix}:${host}:h`

/** Event, NUL, eight bytes of time: bytes in the order of rows. The host is in the name of the set. */
export function keyOf([, event, at]: Row): Buffer {
  const text = event as string
  const key = Buffer.allocUnsafeSlow(text.length + 9)
  key.write(text, 0, 'latin1')
  const end = text.length
  key[end] = 0
  key.writeUInt32BE(Math.floor((at as number) / 2 ** 32), end + 1)
  key.writeUInt32BE((at as number) >>> 0, end + 5)
  return key
}

export function rowOf(host: string, key: Buffer, record: Buffer): Row {
  const end = key.length - 9
  const [level, message] = unpack(record) as [string, string]
  return [host, key.toString('latin1', 0, end), key.readUInt32BE(end + 1) * 2 ** 32 + key.readUInt32BE(end + 5), level, message]
}

/** Packed into a buffer of its own, as ioredis keeps arguments until they are sent. */
export const recordOf = ([, , , level, message]: Row): Buffer => pack([level, message])

/** A bound of `BYLEX`: `[` with, `(` without the key itself. */
export function bound(mark: '[' | '(', key: Buffer, tail?: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(1 + key.length + (tail === undefined ? 0 : 1))
  bytes.write(mark, 0, 'latin1')
  bytes.set(key, 1)
  if (tail !== undefined) bytes[key.length + 1] = tail
  return bytes
}

/** Where a scan of a host's event begins and ends: keys of an event begin with it and NUL. */
export const eventEnd = (event: string): Buffer => Buffer.from(`(${event}\x01`, 'latin1')
const eventStart = (event: string): Buffer => Buffer.from(`[${event}\0`, 'latin1')

/** Rows of a batch by host. */
function byHost(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const hosts = new Map<string, Row[]>()
  for (const row of rows) {
    const host = row[0] as string
    const list = hosts.get(host)
    if (list === undefined) hosts.set(host, [row])
    else list.push(row)
  }
  return hosts
}

/** The same commands as the adapter's, written for this one table: a sorted set and a hash for each host, one script for a page. */
export async function byHand(url: string, { groups, spread }: Stored): Promise<Way<Row, Row>> {
  const client = connect(url)
  const gathering = connect(url, { enableAutoPipelining: true })
  const put = (client: HandRedis, row: Row): Promise<unknown> =>
    client.putRows(indexOf(row[0] as string), valuesOf(row[0] as string), keyOf(row), recordOf(row))
  const get = async (client: HandRedis, row: Row): Promise<Row | undefined> => {
    const key = keyOf(row)
    const record = await client.hgetBuffer(valuesOf(row[0] as string), key)
    return record === null ? undefined : rowOf(row[0] as string, key, record)
  }
  const putMany = async (rows: readonly Row[]): Promise<void> => {
    await Promise.all(
      Array.from(byHost(rows), ([host, some]) => {
        const pairs: Buffer[] = []
        for (const row of some) pairs.push(keyOf(row), recordOf(row))
        return client.putRows(indexOf(host), valuesOf(host), ...pairs)
      }),
    )
  }
  const read = async (name: string, host: string, low: Buffer, high: Buffer, reverse: number): Promise<Row[]> => {
    const [keys, records] = await client.pageBuffer(indexOf(name), valuesOf(name), low, high, scanned, reverse)
    const rows = new Array<Row>(keys.length)
    for (let i = 0; i < keys.length; i++) rows[i] = rowOf(host, keys[i] as Buffer, records[i] as Buffer)
    return rows
  }
  const bucketName = (host: string, bucket: number): string => `${host}.${bucket}`
  for (const group of groups) await putMany(group.map(positional.given))
  for (const sample of spread) {
    const row = positional.given(sample)
    const name = bucketName(sample.host, ((sample.at / 1000) % buckets) | 0)
    await client.putRows(indexOf(name), valuesOf(name), keyOf(row), recordOf(row))
  }
  return {
    ...positional,
    put: (row) => put(client, row),
    putTogether: (rows) => Promise.all(rows.map((row) => put(gathering, row))),
    putMany,
    load: putMany,
    get: (row) => get(client, row),
    getTogether: (rows) => Promise.all(rows.map((row) => get(gathering, row))),
    async getMany(rows) {
      const host = (rows[0] as Row)[0] as string
      const keys = rows.map(keyOf)
      const records = await client.hmgetBuffer(valuesOf(host), ...keys)
      return records.map((record, i) => (record === null ? undefined : rowOf(host, keys[i] as Buffer, record)))
    },
    scan: (row) => read(row[0] as string, row[0] as string, bound('[', keyOf(row)), eventEnd(row[1] as string), 0),
    reverse: (row) => read(row[0] as string, row[0] as string, eventStart(row[1] as string), bound('[', keyOf(row)), 1),
    async spread(row) {
      const host = row[0] as string
      const low = bound('[', keyOf(row))
      const high = eventEnd(row[1] as string)
      const lists = await Promise.all(Array.from({ length: buckets }, (_, bucket) => read(bucketName(host, bucket), host, low, high, 0)))
      return lists
        .flat()
        .sort((a, b) => (a[2] as number) - (b[2] as number))
        .slice(0, scanned)
    },
  }
}
