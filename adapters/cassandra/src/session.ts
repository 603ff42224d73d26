import type { ReadOptions } from '@rowkey/store'
import type { Client, QueryOptions, metadata, policies, types } from 'cassandra-driver'
import { readError } from './errors.js'
import { retryReads, neverRetry } from './retries.js'
import { Timestamps, type Timestamp } from './timestamps.js'

/** A statement and the bytes of its parameters; undefined leaves a column as it is. */
export interface Bound {
  readonly query: string
  readonly params: (Buffer | null | undefined)[]
}

/** Which page is read, and by which node if not by any. */
export interface PageOptions extends Pick<QueryOptions, 'fetchSize' | 'pageState' | 'readTimeout'> {
  readonly node?: string | undefined
}

// Numbers of the CQL protocol.
const localQuorum = 6
const localSerial = 9
const localOne = 10

/** Milliseconds for the answer of one node, which others could not give. */
const nodeTimeout = 2000

const neverAgain = neverRetry as unknown as policies.retry.RetryPolicy

/** What this adapter asks a client to do. Every option that bears on the outcome is given, whatever the client's own defaults are. */
export class Session {
  readonly timestamps: Timestamps
  private readonly client: Client

  constructor(client: Client) {
    this.client = client
    this.timestamps = new Timestamps(client)
  }

  /** Without `fetchSize` all rows at once. @throws RowkeyError `TABLE_MISSING`, `STORE_UNAVAILABLE`; errors of the driver */
  read(
    table: string,
    { query, params }: Bound,
    consistency: ReadOptions['consistency'],
    { node, ...page }: PageOptions = { fetchSize: 0 },
  ): Promise<types.ResultSet> {
    const level = consistency === 'strong' ? localQuorum : localOne
    const host = node === undefined ? {} : { host: this.client.hosts.get(node) }
    return this.client
      .execute(query, params, { ...reading, ...page, ...host, consistency: level })
      .catch((error: unknown) => Promise.reject(readError(table, error)))
  }

  /** One statement, or several of one partition, which the server takes as one mutation. */
  write(statements: readonly Bound[], timestamp?: Timestamp): Promise<types.ResultSet> {
    const options = timestamp === undefined ? writing : { ...writing, timestamp }
    const [first] = statements
    if (statements.length === 1 && first !== undefined) return this.client.execute(first.query, first.params, options)
    return this.client.batch(statements as Bound[], options)
  }

  /** A statement of the catalog, which is written and read by agreement of the replicas. */
  agree({ query, params }: Bound): Promise<types.ResultSet> {
    return this.client.execute(query, params, { ...writing, consistency: query.startsWith('SELECT') ? localSerial : localQuorum })
  }

  /** Of tables and columns. Whoever changes them holds the lock, and waits for the other nodes. */
  async define(statement: string): Promise<void> {
    await this.client.execute(statement, [], { isIdempotent: false, prepare: false, consistency: localQuorum, retry: neverAgain })
  }

  /** The addresses of those that the driver knows of, once it is connected. */
  nodes(): readonly string[] {
    return this.client.hosts.keys()
  }

  /** The version of a node's definitions, then those of which it knows that others have them. */
  async schemaVersions(node: string): Promise<readonly string[]> {
    const host = this.client.hosts.get(node)
    const options: QueryOptions = { host, prepare: false, consistency: localOne, readTimeout: nodeTimeout, retry: neverAgain }
    const [own, others] = await Promise.all([
      this.client.execute('SELECT schema_version FROM system.local', [], options),
      this.client.execute('SELECT schema_version FROM system.peers', [], options),
    ])
    return [...own.rows, ...others.rows].map((row) => String(row['schema_version'])).filter((version) => version !== 'null')
  }

  /** As it says itself. */
  async serverVersion(): Promise<string> {
    const { rows } = await this.client.execute('SELECT release_version FROM system.local', [], { prepare: false, consistency: localOne })
    return String(rows[0]?.['release_version'])
  }

  /** Lets the driver look again at what tables there are. It hears of changes, but puts them off for as long as others follow. */
  async refresh(keyspace: string): Promise<void> {
    await this.client.metadata.refreshKeyspace(keyspace)
  }

  /** What the driver knows of a table; it hears of changes. The same object as long as there was none. */
  tableMetadata(keyspace: string, table: string): Promise<metadata.TableMetadata | null> {
    return this.client.metadata.getTable(keyspace, table)
  }
}

const reading: QueryOptions = { prepare: true, isIdempotent: true, retry: retryReads as unknown as policies.retry.RetryPolicy }

/** Never idempotent for the driver: a conditional write that it sends twice fails by its own doing. The core knows what may be repeated. */
const writing: QueryOptions = {
  prepare: true,
  logged: false,
  isIdempotent: false,
  consistency: localQuorum,
  serialConsistency: localSerial,
  fetchSize: 0,
  retry: neverAgain,
}
