// Tested by conformance.test.ts.
import type { Row as KuduRow } from '@rowkey/kudu-client'
import type { ReadOptions, Row, Value } from 'rowkey/adapter'
import { inCall, type Opened, type TableContext } from './context.js'
import { onTable } from './outcomes.js'
import { isOutside, type KeyColumn } from './keys.js'

/** The rows of keys. */
export function getRows(
  table: TableContext,
  keys: readonly Row[],
  { columns, cancellation }: ReadOptions,
): Promise<readonly (Row | undefined)[]> {
  return onTable(table, async () => {
    const opened = await table.opened()
    const reader = table.reader(columns)
    const asked = keys.map((key) => keyValues(table, opened, key))
    const known = asked.filter((key) => key !== undefined)
    const found = await inCall(cancellation, (options) =>
      table.client.getMany(opened.table, known, { columns: reader.columns, ...options }),
    )
    let at = 0
    return asked.map((key) => (key === undefined ? undefined : reader.rowOf(found[at++])))
  })
}

/** A key by the places of its columns; undefined if no row can have it. */
function keyValues({ keys, schema }: TableContext, { bucketAt }: Opened, key: Row): KuduRow[string][] | undefined {
  const values: KuduRow[string][] = bucketAt === 0 ? [schema.layout.bucketOf(key)] : []
  for (let i = 0; i < keys.length; i++) {
    const column = keys[i] as KeyColumn
    const value = column.write(key[i] as Value)
    if (isOutside(column, value) !== undefined) return undefined
    values.push(value)
  }
  return values
}
