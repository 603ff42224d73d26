import { byteOptions } from '@rowkey/codec/internal'
import type { TableSchema } from '@rowkey/model'
import type { Column } from '../finding.js'

// What a table has is compared with what a model declares, by the names in the store.

/** The key columns of a schema. */
export const keyOf = ({ columns, keyLength }: TableSchema): readonly Column[] => columns.slice(0, keyLength)

/** Whether two columns have the same values and bytes. */
export const sameBytes = (a: Column, b: Column): boolean => JSON.stringify(byteOptions(a.type)) === JSON.stringify(byteOptions(b.type))
