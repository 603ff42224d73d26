import { byteOptions } from '@rowkey/codec/internal'
import type { TableSchema, SchemaColumn } from '@rowkey/model'

// What a table has is compared with what a model declares, by the names in the store.

/** The key columns of a schema. */
export const keyOf = ({ columns, keyLength }: TableSchema): readonly SchemaColumn[] => columns.slice(0, keyLength)

/** Whether two columns have the same values and bytes. */
export const sameBytes = (a: SchemaColumn, b: SchemaColumn): boolean =>
  JSON.stringify(byteOptions(a.type)) === JSON.stringify(byteOptions(b.type))
