import { kudu, type KuduAdapter } from '@rowkey/kudu'
import {
  KuduClient,
  type CallOptions,
  type Column,
  type KuduError,
  type KuduTable,
  type Operation,
  type Scan,
  type Tablet,
} from '@rowkey/kudu-client'
import { newCatalog, type TableCatalog, type TableSchema } from 'rowkey/adapter'
import { saltingOf } from '../src/salting/salting.js'
import { columnsOf, newTable } from '../src/native-table.js'

/** What a client answers that is connected to nothing. Absent: it fails the test. */
export interface Answers {
  write(operations: readonly Operation[], options?: CallOptions): Promise<{ readonly errors: readonly (KuduError | undefined)[] }>
  openTable(): Promise<KuduTable>
  tablets(): Promise<readonly Tablet[]>
  scan(scan: Scan): unknown
  getMany(keys: readonly unknown[]): Promise<readonly unknown[]>
  alterTable(): Promise<void>
  tableExists(): Promise<boolean>
}

export const catalogOf = (schema: TableSchema): TableCatalog => ({ ...newCatalog(schema), store: { id: 'table-1' } })

/** The table of a schema as the client opens it. */
export function tableOf(schema: TableSchema, more: readonly Column[] = [], id = 'table-1'): KuduTable {
  const levels = saltingOf(schema) === 'hash' ? (newTable(schema, {}, () => 0).hash ?? []) : []
  const columns = [...columnsOf(schema), ...more].map((column, i) => ({ ...column, id: 10 + i }))
  return {
    id,
    name: schema.name,
    columns,
    keyColumns: schema.keyLength,
    hash: levels.map(({ columns: names, buckets, seed = 0 }) => ({
      columns: names.map((each) => columns.findIndex(({ name }) => name === each)),
      buckets,
      seed,
    })),
    range: [],
    customRanges: [],
    replicas: 1,
    comment: '',
    owner: '',
  }
}

/** An adapter over a client that answers like this. */
export function adapterOver(answers: Partial<Answers>): KuduAdapter {
  const client = new KuduClient({ masters: ['127.0.0.1:1'] })
  const define = (call: string, value: (...given: never[]) => unknown): void => void Object.defineProperty(client, call, { value })
  const absent = (call: string) => (): never => {
    throw new Error(`${call}() is called`)
  }
  for (const call of ['write', 'openTable', 'tablets', 'scan', 'getMany', 'alterTable', 'tableExists'] as const) {
    const answer = answers[call] as ((given: never, options?: never) => unknown) | undefined
    if (answer === undefined) define(call, absent(call))
    else
      define(
        call,
        call === 'openTable' || call === 'tableExists'
          ? () => answer(undefined as never)
          : (_table: never, given: never, options: never) => answer(given, options),
      )
  }
  return kudu(client, { hash: 2 })
}
