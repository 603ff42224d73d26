import type { ReadOptions, RecordReader, Row } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { rethrow } from './errors.js'
import { byShard, type Place } from './shards/shard.js'

/** The rows of distinct keys. Keys of one shard are one command. */
export function getRows(table: TableContext, keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
  const reader = table.rows.readerOf(options)
  const [only] = keys
  return keys.length === 1 && only !== undefined
    ? getOne(table, only, reader)
    : getMany(table, keys, reader).catch((error: unknown) => rethrow(table.schema.name, error))
}

async function getOne(table: TableContext, key: Row, reader: RecordReader): Promise<readonly (Row | undefined)[]> {
  try {
    const { shard, rowkey } = table.placeOf(table.schema.layout.encodeKey(key))
    const record = (await shard.gets.get([rowkey]))[0]
    return [record === null || record === undefined ? undefined : table.rows.rowOf(key, record, reader)]
  } catch (error) {
    return rethrow(table.schema.name, error)
  }
}

async function getMany(table: TableContext, keys: readonly Row[], reader: RecordReader): Promise<readonly (Row | undefined)[]> {
  const rows = new Array<Row | undefined>(keys.length).fill(undefined)
  const places = keys.map((key) => table.placeOf(table.schema.layout.encodeKey(key)))
  const read = async ([shard, indexes]: readonly [Place['shard'], readonly number[]]): Promise<void> => {
    const records = await shard.gets.get(indexes.map((i) => (places[i] as Place).rowkey))
    indexes.forEach((i, at) => {
      const record = records[at]
      if (record !== null && record !== undefined) rows[i] = table.rows.rowOf(keys[i] as Row, record, reader)
    })
  }
  await Promise.all(Array.from(byShard(places), read))
  return rows
}
