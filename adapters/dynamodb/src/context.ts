import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { InFlight, TableSchema } from 'rowkey/adapter'
import { ItemFormat } from './rows.js'

/** One table as one schema sees it: what its reads and writes share. */
export class TableContext {
  readonly client: DynamoDBClient
  readonly schema: TableSchema
  readonly format: ItemFormat
  readonly calls: InFlight

  constructor(client: DynamoDBClient, schema: TableSchema, calls: InFlight) {
    this.client = client
    this.schema = schema
    this.format = new ItemFormat(schema)
    this.calls = calls
  }
}
