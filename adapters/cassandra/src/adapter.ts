// Tested by options.test.ts and catalogs.test.ts.
import {
  BaseAdapter,
  BaseTable,
  type Definition,
  InFlight,
  OpenTables,
  type Row,
  type SupportsDdl,
  type SupportsLocate,
  type TableCatalog,
  type TableReads,
  type TableSchema,
} from 'rowkey/adapter'
import type { Client } from 'cassandra-driver'
import type { CassandraCode } from './advice.js'
import { Catalogs } from './catalogs.js'
import { Session } from './client/session.js'
import { TableContext } from './context.js'
import { cassandraStore } from './description.js'
import { closedAdapter } from './errors.js'
import { mutexOf } from './client/keyed-mutex.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { locate, type CassandraAddress } from './locate.js'
import { nativeTableId } from './native-table.js'
import { checkOptions, type CassandraClient, type CassandraOptions } from './options.js'
import { purgeExpired } from './purge.js'
import { scanSlice } from './scan.js'
import { splits } from './splits.js'
import { writeAll, writeEach } from './write.js'

/**
 * Tables in Apache Cassandra, with a CQL column for every column of a model. Reads and writes wait for a quorum of the replicas in the data
 * center of the client; whether an acknowledged write survives a crash depends on the commit log of
 * the server.
 *
 * Cost: a get, put or delete is one request, a page of a scan one or a few per bucket. In a table with `writes: 'conditional'`, the default,
 * every write is a lightweight transaction, which takes several times as long.
 *
 * The client stays yours: `close()` waits for writes that were sent, and refuses later calls.
 *
 * @param client of cassandra-driver, with a keyspace that exists, here or in the options
 * @throws RowkeyError `CLIENT_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * const client = new Client({ contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', keyspace: 'shop' })
 * const db = createMapper(cassandra(client))
 * await db.ensureTables([Orders])
 * await db.repository(Orders).put(order)
 * ```
 */
export function cassandra(client: CassandraClient, options: CassandraOptions = {}): CassandraAdapter {
  return new CassandraAdapter(client, checkOptions(client, options))
}

const reads: TableReads<TableContext> = {
  get: getRows,
  scan: scanSlice,
  fullScan: (table, checkpoint, options) => new FullScan(table, checkpoint, options),
  splits,
  purge: (table) => ({ run: (now, limit, cancellation) => purgeExpired(table, now, limit, cancellation) }),
}

/** The adapter of a Cassandra client, which also shows definitions of tables and where rows are. Made by {@link cassandra}. */
export class CassandraAdapter
  extends BaseAdapter
  implements SupportsDdl<Definition<string, CassandraCode>>, SupportsLocate<CassandraAddress>
{
  private readonly keyspace: string
  private readonly session: Session

  /** @internal */
  constructor(client: CassandraClient, keyspace: string) {
    const given: unknown = client
    const session = new Session(given as Client)
    const calls = new InFlight(closedAdapter)
    const tables = new OpenTables<TableContext>()
    super({
      store: cassandraStore,
      calls,
      catalogs: new Catalogs(session, keyspace, mutexOf(client)),
      open: (schema, catalog) => new BaseTable(tables.add(schema, new TableContext(schema, catalog, keyspace, session, calls)), reads),
      write: (batch, options) => (options.atomic === undefined ? writeEach : writeAll)(batch, options, tables.of),
    })
    this.keyspace = keyspace
    this.session = session
  }

  /** The server gives every table an id when it is created. */
  tableId({ name }: TableSchema): Promise<string | undefined> {
    return this.calls.run(() => nativeTableId(this.session, this.keyspace, name))
  }

  ddl(schema: TableSchema): Definition<string, CassandraCode> {
    return cassandraStore.ddl(schema, { keyspace: this.keyspace })
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): CassandraAddress {
    return locate(this.keyspace, schema, catalog, key)
  }
}
