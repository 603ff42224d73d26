// Tested by write.test.ts and conformance.test.ts.
import type { Operation, RowValues, Value as KuduValue } from '@rowkey/kudu-client'
import type { Mutation, Row, SchemaColumn, Value } from 'rowkey/adapter'
import type { Opened, TableContext } from './context.js'
import { dayOutside } from './errors.js'
import { isOutside, type KeyColumn } from './keys.js'
import type { ValueType } from './values.js'

/** A mutation as Kudu executes it; undefined for an update that sets nothing. @throws RowkeyError `INVALID_VALUE` */
export function operationOf(table: TableContext, opened: Opened, mutation: Mutation): Operation | undefined {
  const { row } = mutation
  const values = keyIn(table, opened, row)
  switch (mutation.kind) {
    case 'put':
    case 'insert':
      setAll(table, opened, row, values)
      return { type: mutation.kind === 'put' ? 'upsert' : 'insert', row: values }
    case 'update': {
      const { set } = mutation
      if (set.length === 0) return undefined
      for (const position of set) setValue(table, opened, row, values, position)
      return { type: 'update', row: values }
    }
    case 'delete':
      return { type: 'deleteIgnore', row: values }
  }
}

type Values = RowValues[number][]

function keyIn({ keys, schema }: TableContext, { places, bucketAt, table }: Opened, row: Row): Values {
  const values: Values = new Array<KuduValue | undefined>(table.columns.length).fill(undefined)
  if (bucketAt >= 0) values[bucketAt] = schema.layout.bucketOf(row)
  for (let i = 0; i < keys.length; i++) {
    const column = keys[i] as KeyColumn
    const stored = column.write(row[i] as Value)
    if (column.kudu.type === 'DATE' && isOutside(column, stored) !== undefined) throw dayOutside(schema.name, nameAt(schema.columns, i))
    values[places[i] as number] = stored
  }
  return values
}

/** The whole row. An UPSERT leaves columns as they are that it does not name: those of newer models are cleared as well. */
function setAll(table: TableContext, opened: Opened, row: Row, values: Values): void {
  const { columns, keyLength } = table.schema
  for (let position = keyLength; position < columns.length; position++) setValue(table, opened, row, values, position)
  for (const place of opened.others) values[place] = null
}

function setValue({ types, schema }: TableContext, { places }: Opened, row: Row, values: Values, position: number): void {
  const value = row[position] as Value
  const type = types[position] as ValueType
  const stored = value === null ? null : type.write(value)
  if (type.kudu.type === 'DATE' && stored !== null && isOutside(type, stored) !== undefined)
    throw dayOutside(schema.name, nameAt(schema.columns, position))
  values[places[position] as number] = stored
}

const nameAt = (columns: readonly SchemaColumn[], position: number): string => (columns[position] as SchemaColumn).name
