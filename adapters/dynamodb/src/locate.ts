import type { Row } from 'rowkey/adapter'
import type { TableContext } from './context.js'

/** The key attributes of a row, by name. */
type ItemKey = Readonly<Record<string, { readonly B: Uint8Array }>>

/** Where a row is for other clients, ready for GetItem. */
export interface DynamoDBAddress {
  readonly TableName: string
  /** `rk_p`: 01, salt and partition columns; `rk_s`: 01 and the other key columns. In tables made before, `p` and `s`. */
  readonly Key: ItemKey
}

/** @throws RowkeyError `LIMIT_EXCEEDED` for a key that no item can have */
export const locate = ({ schema, format }: TableContext, key: Row): DynamoDBAddress => ({
  TableName: schema.name,
  Key: format.keyAttributes(schema.layout.encodeKey(key)) as ItemKey,
})
