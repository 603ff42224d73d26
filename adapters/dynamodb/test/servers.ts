import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { dynamodb, type DynamoDBAdapter } from '@rowkey/dynamodb'
import { renameTable, type TableSchema } from 'rowkey'
import type { Mutation, Outcome, Row, TableCatalog, TableStore, WriteOptions } from 'rowkey/adapter'
import { ensureTable } from 'rowkey/internal'
import { afterAll } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf } from './client.js'

/** A server of the run, and what tests need of it. */
export interface TestServer {
  readonly name: 'dynalite' | 'moto'
  /** A client of its own, destroyed after the tests. */
  client(config?: DynamoDBClientConfig): DynamoDBClient
  /** An adapter that asks for nothing the server lacks. */
  adapter(client: DynamoDBClient): DynamoDBAdapter
}

/** The same tests on both servers: dynalite is strict, moto has transactions and tells old items. */
export function onEachServer(suite: (server: TestServer) => void): void {
  for (const name of ['dynalite', 'moto'] as const) onServer(name, suite)
}

export function onServer(name: TestServer['name'], suite: (server: TestServer) => void): void {
  withServer(name, (connection) => {
    const clients: DynamoDBClient[] = []
    afterAll(() => {
      for (const client of clients) client.destroy()
    })
    suite({
      name,
      client(config) {
        const client = clientOf(connection, config)
        clients.push(client)
        return client
      },
      adapter: (client) => dynamodb(client, name === 'moto' ? {} : { transactions: false, nativeTtl: false }),
    })
  })
}

let count = 0

/** The schema under a name that no other test uses. */
export const named = (schema: TableSchema): TableSchema =>
  renameTable(schema, `t${Date.now().toString(36)}_${process.pid}_${count++}_${schema.name}`.slice(0, 48))

/** A table that is there, as the core uses it. */
export interface OpenTable {
  readonly schema: TableSchema
  readonly catalog: TableCatalog
  readonly store: TableStore
  write(batch: readonly Change[], options?: Partial<WriteOptions>): Promise<readonly Outcome[]>
  put(...rows: readonly Row[]): Promise<void>
}

/** A mutation of the table at hand. */
export type Change = Mutation extends infer M ? (M extends Mutation ? Omit<M, 'schema'> : never) : never

export async function openTable(adapter: DynamoDBAdapter, model: TableSchema): Promise<OpenTable> {
  const schema = named(model)
  await ensureTable(adapter, schema)
  return reopen(adapter, schema)
}

/** The table of another adapter. */
export async function reopen(adapter: DynamoDBAdapter, schema: TableSchema): Promise<OpenTable> {
  const catalog = (await adapter.describeTable(schema.name)) as TableCatalog
  const write: OpenTable['write'] = async (batch, options) =>
    adapter.write(
      batch.map((change) => ({ ...change, schema })),
      { now: Date.now(), ...options },
    )
  return {
    schema,
    catalog,
    store: adapter.table(schema, catalog),
    write,
    async put(...rows) {
      const outcomes = await write(rows.map((row) => ({ kind: 'put', row })))
      const failed = outcomes.find(({ kind }) => kind !== 'applied')
      if (failed !== undefined) throw new Error(`a put is ${failed.kind}`, { cause: 'cause' in failed ? failed.cause : undefined })
    },
  }
}
