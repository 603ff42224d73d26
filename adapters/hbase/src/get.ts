// Tested by conformance.test.ts and together.test.ts.
import type { Get, Result } from '@rowkey/hbase-client'
import { inTime, type ReadOptions, type Row } from 'rowkey/adapter'
import { readOn, type TableContext } from './context.js'
import { badAnswer } from './errors.js'
import { maxRowkeyBytes } from './keys.js'

/** The rows of keys. Those of one tick are one request. */
export async function getRows(
  table: TableContext,
  keys: readonly Row[],
  { columns, cancellation }: ReadOptions,
): Promise<readonly (Row | undefined)[]> {
  const reader = table.format.reader(columns)
  const answers = keys.map((key) => getResult(table, { row: table.schema.layout.rowkey(key), ...reader.selection }))
  const results = await inTime(cancellation, Promise.all(answers))
  return results.map((result, i) => (result === undefined ? undefined : reader.rowOf(keys[i] as Row, result)))
}

/** A row as it is stored; undefined if there is none. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
export function getResult(table: TableContext, get: Get): Promise<Result | undefined> {
  const { server, schema } = table
  if (get.row.length > maxRowkeyBytes) return Promise.resolve(undefined) // no row can have it
  return readOn(table, async () => {
    const result = await server.gets.send(get)
    if (result.row === undefined) return undefined
    if (Buffer.compare(result.row, get.row) !== 0) throw badAnswer(schema.name, 'another row than the one that was asked for')
    return result
  })
}
