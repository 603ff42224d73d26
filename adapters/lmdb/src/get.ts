import type { ReadOptions, Row } from 'rowkey/adapter'
import type { TableContext } from './context.js'

/** The rows of keys, all of one state of the file. */
export function getRows(table: TableContext, keys: readonly Row[], options: ReadOptions): readonly (Row | undefined)[] {
  const { rows, schema } = table
  const reader = rows.readerOf(options)
  const environment = table.startRead()
  return keys.map((key) => {
    const bytes = table.nativeKey(schema.layout.rowkey(key))
    const record = bytes === undefined ? undefined : environment.reading(() => environment.db.getBinary(bytes))
    return record === undefined ? undefined : rows.rowOf(key, record, reader)
  })
}
