import type { Row } from 'rowkey/adapter'
import type { TableContext } from './context.js'

/** The key attributes of a row. */
type ItemKey = Readonly<Record<'p' | 's', { readonly B: Uint8Array }>>

/** Where a row is for other clients, ready for GetItem. */
export interface DynamoDBAddress {
  readonly TableName: string
  /** `p`: 01, salt and partition columns; `s`: 01 and the other key columns. */
  readonly Key: ItemKey
}

/** @throws RowkeyError `LIMIT_EXCEEDED` for a key that no item can have */
export const locate = ({ schema, format }: TableContext, key: Row): DynamoDBAddress => ({
  TableName: schema.name,
  Key: format.keyAttributes(schema.layout.encodeKey(key)) as ItemKey,
})
