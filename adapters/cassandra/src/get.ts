// Tested by keys.test.ts and conformance.test.ts.
import { inParallel, latin1String, type ReadOptions, type Row } from 'rowkey/adapter'
import { maxBatch } from './capabilities.js'
import { isSamePartition } from './keys.js'
import { int32, listOf } from './client/native-bytes.js'
import { faulty, type NativeRow } from './client/answers.js'
import type { TableContext } from './context.js'
import type { RowReader } from './rows.js'

/** What all requests of a get share. */
interface Reading {
  readonly table: TableContext
  readonly reader: RowReader
  readonly consistency: ReadOptions['consistency']
}

/** Rows of distinct keys. Those of one partition are read together, so that nobody sees half of an atomic batch. */
export async function getRows(
  table: TableContext,
  keys: readonly Row[],
  { columns, consistency }: ReadOptions,
): Promise<readonly (Row | undefined)[]> {
  const reading: Reading = { table, reader: table.reader(columns), consistency }
  const [only] = keys
  if (keys.length === 1 && only !== undefined) return [await getOne(reading, only)]
  const rows = new Array<Row | undefined>(keys.length).fill(undefined)
  await inParallel(partitionsOf(table, keys), partitionsAtOnce, async (indexes) => {
    const [first] = indexes as [number]
    if (indexes.length === 1) rows[first] = await getOne(reading, keys[first] as Row)
    else {
      const found = await getSome(
        reading,
        indexes.map((index) => keys[index] as Row),
      )
      indexes.forEach((index, at) => (rows[index] = found[at]))
    }
  })
  return rows
}

/** The driver has room for 2,048 requests per connection. */
const partitionsAtOnce = 64

async function getOne({ table, reader, consistency }: Reading, key: Row): Promise<Row | undefined> {
  const bound = { query: table.statements.get(reader.columns), params: table.keyBytes(key) }
  const found = (await table.read(bound, consistency)).rows[0]
  return found === undefined ? undefined : reader.read(found)
}

/** Rows of one partition, in the order of their keys. */
async function getSome({ table, reader, consistency }: Reading, keys: readonly Row[]): Promise<readonly (Row | undefined)[]> {
  const { schema, statements } = table
  const restOf = (key: Row): string => latin1String(schema.layout.sortKey(key))
  const first = keys[0] as Row
  const indexOf = new Map(keys.map((key, index) => [restOf(key), index]))
  const partition = table.keyBytes(first, schema.partitionLength)
  const params = [...partition, tuples(keys.map((key) => table.sortKeyBytes(key)))]
  const found = await table.read({ query: statements.getSome(reader.columns), params }, consistency)
  const rows = new Array<Row | undefined>(keys.length).fill(undefined)
  for (const native of found.rows as unknown as readonly NativeRow[]) {
    const row = reader.read(native)
    if (row === undefined) continue
    const index = indexOf.get(restOf(row))
    if (index === undefined || rows[index] !== undefined) throw faulty(schema.name, 'a row that was not asked for, or one twice')
    rows[index] = row
  }
  return rows
}

/** A list of tuples in the bytes of the CQL binary protocol. */
const tuples = (items: readonly (readonly Buffer[])[]): Buffer =>
  listOf(items.map((values) => Buffer.concat(values.flatMap((value) => [int32(value.length), value]))))

/** Indexes of keys that are read together. */
function partitionsOf({ schema }: TableContext, keys: readonly Row[]): readonly (readonly number[])[] {
  const { layout } = schema
  const lists: number[][] = []
  const open = new Map<string, number[]>()
  let partition = ''
  keys.forEach((key, index) => {
    const before = keys[index - 1]
    if (before === undefined || !isSamePartition(schema, before, key)) partition = latin1String(layout.partition(layout.bucketOf(key), key))
    const list = open.get(partition)
    if (list !== undefined && list.length < maxBatch) {
      list.push(index)
      return
    }
    const begun = [index]
    lists.push(begun)
    open.set(partition, begun)
  })
  return lists
}
