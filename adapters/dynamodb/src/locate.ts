import type { EncodedKey, TableSchema } from '@rowkey/store/adapter'
import type { ItemKey } from './keys.js'
import type { ItemFormat } from './rows.js'

/** Where a row is for other clients, ready for GetItem. */
export interface DynamoDBAddress {
  readonly TableName: string
  /** `p`: 01, salt and partition columns; `s`: 01 and the other key columns. */
  readonly Key: ItemKey
}

/** @throws RowkeyError `LIMIT_EXCEEDED` for a key that no item can have */
export const locate = ({ name }: TableSchema, format: ItemFormat, key: EncodedKey): DynamoDBAddress => ({
  TableName: name,
  Key: format.keyToWrite(key),
})
