import type { Row } from 'rowkey/adapter'
import type { ChainableCommander } from 'ioredis'
import type { Stored, Way } from '../party.js'
import { scanned } from '../party.js'
import { bound, connect, eventEnd, indexOf, keyOf, positional, recordOf, rowOf, valuesOf } from './hand.js'

const rowHash = (host: string, key: Buffer): Buffer => Buffer.concat([Buffer.from(`${valuesOf(host)}:`), key])

/** ZADD and HSET for each row, in a pipeline; ZRANGE, then HMGET. */
export async function pairs(url: string, { groups }: Stored): Promise<Way<Row, Row>> {
  const client = connect(url)
  const add = (pipeline: ChainableCommander, row: Row): void => {
    const key = keyOf(row)
    pipeline.zadd(indexOf(row[0] as string), 0, key).hset(valuesOf(row[0] as string), key, recordOf(row))
  }
  const putMany = many(client.pipeline.bind(client), add)
  for (const group of groups) await putMany(group.map(positional.given))
  return {
    ...positional,
    put: (row) => putMany([row]),
    putMany,
    load: putMany,
    async scan(row) {
      const host = row[0] as string
      const keys = await client.zrangeBuffer(
        indexOf(host),
        bound('[', keyOf(row)),
        eventEnd(row[1] as string),
        'BYLEX',
        'LIMIT',
        0,
        scanned,
      )
      const records = await client.hmgetBuffer(valuesOf(host), ...keys)
      return keys.map((key, i) => rowOf(host, key, records[i] as Buffer))
    },
  }
}

/** A hash for each row, as mappers have it, and a sorted set of their names: ZRANGE, then HGETALL for each. */
export async function hashPerRow(url: string, { groups }: Stored): Promise<Way<Row, Row>> {
  const client = connect(url)
  const add = (pipeline: ChainableCommander, row: Row): void => {
    const [host, event, at, level, message] = row as [string, string, number, string, string]
    const key = keyOf(row)
    pipeline
      .zadd(indexOf(host), 0, key)
      .hset(rowHash(host, key), 'host', host, 'event', event, 'at', at, 'level', level, 'message', message)
  }
  const found = ({ host, event, at, level, message }: Record<string, string>): Row => [host, event, Number(at), level, message] as Row
  const putMany = many(client.pipeline.bind(client), add)
  const fetch = async (host: string, keys: readonly Buffer[]): Promise<readonly Row[]> => {
    const pipeline = client.pipeline()
    for (const key of keys) pipeline.hgetall(rowHash(host, key))
    return resultsOf(await pipeline.exec()).map((result) => found(result as Record<string, string>))
  }
  for (const group of groups) await putMany(group.map(positional.given))
  return {
    ...positional,
    put: (row) => putMany([row]),
    putMany,
    load: putMany,
    get: async (row) => found(await client.hgetall(rowHash(row[0] as string, keyOf(row)))),
    getMany: (rows) => fetch((rows[0] as Row)[0] as string, rows.map(keyOf)),
    async scan(row) {
      const host = row[0] as string
      const [low, high] = [bound('[', keyOf(row)), eventEnd(row[1] as string)]
      return fetch(host, await client.zrangeBuffer(indexOf(host), low, high, 'BYLEX', 'LIMIT', 0, scanned))
    },
  }
}

const many =
  (pipelineOf: () => ChainableCommander, add: (pipeline: ChainableCommander, row: Row) => void) =>
  async (rows: readonly Row[]): Promise<void> => {
    const pipeline = pipelineOf()
    for (const row of rows) add(pipeline, row)
    resultsOf(await pipeline.exec())
  }

function resultsOf(replies: [Error | null, unknown][] | null): readonly unknown[] {
  if (replies === null) throw new Error('the pipeline was not executed')
  return replies.map(([error, result]) => {
    if (error !== null) throw error
    return result
  })
}
