import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { InFlight, TableSchema } from 'rowkey/adapter'
import type { RowForm } from './keys.js'
import { ItemFormat } from './rows.js'

/** One table as one schema sees it: what its reads and writes share. */
export class TableContext {
  readonly client: DynamoDBClient
  readonly schema: TableSchema
  readonly form: RowForm
  readonly format: ItemFormat
  readonly calls: InFlight

  constructor(client: DynamoDBClient, schema: TableSchema, calls: InFlight, form: RowForm) {
    this.client = client
    this.schema = schema
    this.form = form
    this.format = new ItemFormat(schema, form)
    this.calls = calls
  }
}
