// Tested by errors.test.ts and faults.test.ts.
import type { CallOptions, Column, HBaseClient } from '@rowkey/hbase-client'
import {
  type Cancellation,
  type InFlight,
  isPromise,
  isRowkeyError,
  type KeyedMutex,
  type MaybePromise,
  tableNotFound,
  type TableSchema,
  utf8Of,
} from 'rowkey/adapter'
import type { ProfileLimits } from './capabilities.js'
import type { TableColumns } from './client/table-columns.js'
import type { RowTimestamps } from './client/timestamps.js'
import type { Deletes, Gets, Puts } from './client/together.js'
import { errorOf, isOfServer, onceMore } from './errors.js'
import { family } from './keys.js'
import { RowFormat } from './rows.js'

/** One table of the server: what the calls of all schemas that see it have in common. */
export interface ServerTable {
  /** With its namespace. */
  readonly name: string
  readonly gets: Gets
  readonly puts: Puts
  readonly deletes: Deletes
  readonly columns: TableColumns
  /** undefined: the server chooses timestamps. Known when the table is opened. */
  timestamps: RowTimestamps | undefined
  /** Writes of a row that are computed from it, one after the other. */
  readonly turns: KeyedMutex
}

/** One table as one schema sees it: what its reads and writes share. */
export class TableContext {
  readonly client: HBaseClient
  readonly schema: TableSchema
  readonly server: ServerTable
  readonly format: RowFormat
  readonly limits: ProfileLimits
  readonly calls: InFlight
  private readonly own: ReadonlySet<string>
  private others: { readonly of: readonly string[]; readonly columns: readonly Column[] } = { of: [], columns: [] }

  constructor(
    client: HBaseClient,
    server: ServerTable,
    schema: TableSchema,
    { limits, calls }: { readonly limits: ProfileLimits; readonly calls: InFlight },
  ) {
    this.client = client
    this.server = server
    this.schema = schema
    this.format = new RowFormat(schema, limits)
    this.limits = limits
    this.calls = calls
    this.own = new Set(schema.columns.map(({ physical }) => physical))
  }

  /** Columns of the table that the schema does not have. A put of a whole row clears them. */
  otherColumns(): MaybePromise<readonly Column[]> {
    const names = this.server.columns.all()
    return isPromise(names) ? names.then((read) => this.notOwn(read)) : this.notOwn(names)
  }

  private notOwn(names: readonly string[]): readonly Column[] {
    if (names !== this.others.of) {
      const columns = names.filter((physical) => !this.own.has(physical)).map((physical) => ({ family, qualifier: utf8Of(physical) }))
      this.others = { of: names, columns }
    }
    return this.others.columns
  }
}

/** Runs a call of the client, which ends when nobody waits for it any more. */
export function inCall<T>(cancellation: Cancellation | undefined, call: (options: CallOptions | undefined) => Promise<T>): Promise<T> {
  return cancellation === undefined ? call(undefined) : cancellation.withSignal((signal) => call({ signal }))
}

/** What an error of the client means for a call on a table. If the server does not say whether the table exists, it is asked. */
export async function errorOn({ client, server, schema }: TableContext, error: unknown): Promise<unknown> {
  const told = errorOf(schema.name, error)
  if (!isOfServer(error) || isRowkeyError(told, 'TABLE_NOT_FOUND')) return told
  let isThere = asked.get(error as object)
  if (isThere === undefined) asked.set(error as object, (isThere = client.tableExists(server.name).catch(() => true)))
  return (await isThere) ? told : tableNotFound(schema.name)
}

/** Whether the table exists, by the error after which that was asked: all that share a request share its error. */
const asked = new WeakMap<object, Promise<boolean>>()

/** Runs changes of a table. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`, `ADAPTER_FAULT` */
export async function onTable<T>(table: TableContext, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw await errorOn(table, error)
  }
}

/** Runs a read of a table: once more if its connection was lost. Throws as {@link onTable}. */
export const readOn = <T>(table: TableContext, run: () => Promise<T>): Promise<T> => onTable(table, () => onceMore(run))
