// Tested by client-options.test.ts and tables.test.ts.
import { InFlight, OpenTables } from '@rowkey/store/adapter'
import type {
  Adapter,
  Capabilities,
  ChangeOptions,
  Definition,
  Hints,
  Mutation,
  NameRules,
  Outcome,
  Row,
  SchemaColumn,
  SupportsDdl,
  SupportsLocate,
  TableCatalog,
  TableSchema,
  TableStore,
  WriteOptions,
} from '@rowkey/store/adapter'
import type { Client } from 'cassandra-driver'
import type { CassandraCode } from './advice.js'
import { Catalogs } from './catalogs.js'
import { Session } from './client/session.js'
import { TableContext } from './context.js'
import { cassandraStore } from './description.js'
import { closedAdapter } from './errors.js'
import { mutexOf } from './client/keyed-mutex.js'
import { locate, type CassandraAddress } from './locate.js'
import { nativeTableId } from './native-table.js'
import { checkOptions, type CassandraClient, type CassandraOptions } from './options.js'
import { CassandraTable } from './table.js'
import { valueTypeOf } from './values.js'
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

/** The adapter of a Cassandra client, which also shows definitions of tables and where rows are. Made by {@link cassandra}. */
export class CassandraAdapter implements Adapter, SupportsDdl<Definition<string, CassandraCode>>, SupportsLocate<CassandraAddress> {
  readonly name: string = cassandraStore.name
  readonly hints: Hints = cassandraStore.hints
  readonly names: NameRules = cassandraStore.names
  readonly capabilities: Capabilities = cassandraStore.capabilities
  private readonly keyspace: string
  private readonly session: Session
  private readonly catalogs: Catalogs
  private readonly tables = new OpenTables<TableContext>()
  private readonly calls = new InFlight(closedAdapter)

  /** @internal */
  constructor(client: CassandraClient, keyspace: string) {
    this.keyspace = keyspace
    const given: unknown = client
    this.session = new Session(given as Client)
    this.catalogs = new Catalogs(this.session, keyspace, mutexOf(client))
  }

  /** The server gives every table an id when it is created. */
  tableId({ name }: TableSchema): Promise<string | undefined> {
    return this.calls.run(() => nativeTableId(this.session, this.keyspace, name))
  }

  table(schema: TableSchema, catalog: TableCatalog): TableStore {
    this.calls.mustBeOpen()
    return new CassandraTable(this.tables.add(schema, new TableContext(schema, catalog, this.keyspace, this.session, this.calls)))
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    const write = options.atomic === undefined ? writeEach : writeAll
    return this.calls.run(() => write(batch, options, this.tables.of))
  }

  /** Columns have types, and CQL cannot change the type of a column. */
  widens(stored: SchemaColumn, wider: SchemaColumn): boolean {
    return valueTypeOf(stored).cql === valueTypeOf(wider).cql
  }

  ensureTable(schema: TableSchema, { cancellation }: ChangeOptions = {}): Promise<TableCatalog> {
    return this.calls.run(() => this.catalogs.ensure(schema, cancellation))
  }

  describeTable(name: string): Promise<TableCatalog | undefined> {
    return this.calls.run(() => this.catalogs.describe(name))
  }

  dropTable(name: string, { cancellation }: ChangeOptions = {}): Promise<void> {
    return this.calls.run(() => this.catalogs.drop(name, cancellation))
  }

  ddl(schema: TableSchema): Definition<string, CassandraCode> {
    return cassandraStore.ddl(schema, { keyspace: this.keyspace })
  }

  locate(schema: TableSchema, _catalog: TableCatalog, key: Row): CassandraAddress {
    return locate(this.keyspace, schema, key)
  }

  close(): Promise<void> {
    return this.calls.close()
  }
}
