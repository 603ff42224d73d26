import { hintsOf, Operations } from '@rowkey/store'
import type {
  Adapter,
  ChangeOptions,
  Defining,
  Definition,
  Locating,
  Mutation,
  Outcome,
  Row,
  TableCatalog,
  TableSchema,
  WriteOptions,
} from '@rowkey/store'
import type { Client } from 'cassandra-driver'
import { capabilities } from './capabilities.js'
import { Catalogs } from './catalogs.js'
import { definition } from './ddl.js'
import { closed, tableMissing } from './errors.js'
import { locate, type CassandraAddress } from './locate.js'
import { checkOptions, type CassandraOptions } from './options.js'
import { Session } from './session.js'
import { hints, name } from './table-options.js'
import { CassandraTable } from './table.js'
import { CassandraReads } from './table-store.js'
import { Turns, turnsOf } from './turns.js'
import { writeAll, writeEach } from './write.js'

/** What `cassandra()` makes: an adapter that also says what its tables and rows are to other clients. */
export interface CassandraAdapter extends Adapter, Defining<Definition<string>>, Locating<CassandraAddress> {}

/**
 * Tables in Apache Cassandra, with a CQL column for every column of a model. Reads and writes wait for a quorum of the replicas in the data
 * center of the client; a write that was acknowledged survives as the commit log of the server says.
 *
 * Cost: a get, put or delete is one request, a page of a scan one or a few per bucket. In a table with `writes: 'conditional'`, the default,
 * every write is a lightweight transaction, which takes several times as long.
 *
 * The client stays yours: `close()` waits for writes that are on their way and refuses what comes later.
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
export function cassandra(client: Client, options: CassandraOptions = {}): CassandraAdapter {
  return new DriverAdapter(client, checkOptions(client, options))
}

class DriverAdapter implements CassandraAdapter {
  readonly name = name
  readonly hints = hints
  readonly capabilities = capabilities
  private readonly keyspace: string
  private readonly session: Session
  private readonly catalogs: Catalogs
  private readonly tables = new WeakMap<TableSchema, CassandraTable>()
  private readonly operations = new Operations(closed)
  private readonly turns = new Turns()

  constructor(client: Client, keyspace: string) {
    this.keyspace = keyspace
    this.session = new Session(client)
    this.catalogs = new Catalogs(this.session, keyspace, turnsOf(client))
  }

  table(schema: TableSchema, catalog: TableCatalog): CassandraReads {
    this.operations.mustBeOpen()
    hintsOf(this, schema)
    const table = new CassandraTable(schema, catalog, this.keyspace, this.session, this.operations)
    this.tables.set(schema, table)
    return new CassandraReads(table)
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    const write = options.atomic === undefined ? writeEach : writeAll
    return this.operations.run(() => write(batch, options, this.tableOf, this.turns))
  }

  ensureTable(schema: TableSchema, _found?: TableCatalog, { cancellation }: ChangeOptions = {}): Promise<TableCatalog> {
    // Not `found`: it may be older than the table.
    return this.operations.run(async () => {
      hintsOf(this, schema)
      return this.catalogs.ensure(schema, cancellation)
    })
  }

  describeTable(name: string): Promise<TableCatalog | undefined> {
    return this.operations.run(() => this.catalogs.find(name))
  }

  dropTable(name: string, { cancellation }: ChangeOptions = {}): Promise<void> {
    return this.operations.run(() => this.catalogs.drop(name, cancellation))
  }

  ddl(schema: TableSchema): Definition<string> {
    return definition(this.keyspace, schema)
  }

  locate(schema: TableSchema, _catalog: TableCatalog, key: Row): CassandraAddress {
    return locate(this.keyspace, schema, key)
  }

  close(): Promise<void> {
    return this.operations.close()
  }

  private readonly tableOf = (schema: TableSchema): CassandraTable => {
    const table = this.tables.get(schema)
    if (table === undefined) throw tableMissing(schema.name)
    return table
  }
}
