// Tested by faults.test.ts and options.test.ts.
import { KeyedMutex, type ReadOptions } from 'rowkey/adapter'
import type { Client, QueryOptions, metadata, policies, types } from 'cassandra-driver'
import { readError } from '../errors.js'
import { decoded, textOf, withRows } from './answers.js'
import { catalogTable } from './cql.js'
import { Timestamps, type Timestamp } from './timestamps.js'

/** A statement and the bytes of its parameters; undefined leaves a column as it is. */
export interface Bound {
  readonly query: string
  readonly params: (Buffer | null | undefined)[]
}

/** The page to read, and the node to ask; any by default. */
export interface PageOptions extends Pick<QueryOptions, 'fetchSize' | 'pageState' | 'readTimeout'> {
  readonly node?: string | undefined
}

// Numbers of the CQL protocol.
const localQuorum = 6
const localSerial = 9
const localOne = 10

/** Milliseconds to wait for a node, if only its own answer counts. */
const nodeTimeout = 2000

// The retry policy of the client is not used. One that ignores errors would return an empty answer, and one that lowers the consistency an old one.

/** What the driver expects of a retry policy. */
interface Decision {
  readonly decision: 0 | 1
  readonly useCurrentHost?: boolean
}
interface Asked {
  readonly nbRetry: number
}
type Decide = (asked: Asked) => Decision
type Policy = Readonly<Record<'onUnavailable' | 'onReadTimeout' | 'onRequestError' | 'onWriteTimeout', Decide>>

const rethrow: Decision = Object.freeze({ decision: 0 })
const onNextHost: Decision = Object.freeze({ decision: 1, useCurrentHost: false })
const once: Decide = ({ nbRetry }) => (nbRetry > 0 ? rethrow : onNextHost)
const never: Decide = () => rethrow

/** For reads: one repetition, on another host, with the same consistency. */
const retryReads: Policy = { onUnavailable: once, onReadTimeout: once, onRequestError: once, onWriteTimeout: never }

/** For writes: the core decides what is repeated. */
const neverRetry: Policy = { onUnavailable: never, onReadTimeout: never, onRequestError: never, onWriteTimeout: never }

const neverAgain = neverRetry as unknown as policies.retry.RetryPolicy

/** The calls of a client. Every option that affects the outcome is set here, whatever the defaults of the client are. */
export class Session {
  readonly timestamps: Timestamps
  /** The turns of conditional writes, by partition. */
  readonly turns: KeyedMutex = new KeyedMutex()
  /** Whether servers filter by lists, as far as is known. Before 4.1 they do not. */
  filtersLists = true
  private readonly client: Client

  constructor(client: Client) {
    this.client = client
    this.timestamps = new Timestamps(client)
  }

  /** Without `fetchSize`, all rows in one page. @throws RowkeyError `TABLE_NOT_FOUND`, `STORE_UNAVAILABLE`; errors of the driver */
  read(table: string, { query, params }: Bound, consistency: ReadOptions['consistency'], page?: PageOptions): Promise<types.ResultSet> {
    const whole = consistency === 'strong' ? readingStrong : readingEventual
    const options = page === undefined ? whole : { ...reading, ...this.pageOptions(page), consistency: whole.consistency }
    return this.client.execute(query, params, options).then(
      (answer) => withRows(table, answer),
      (error: unknown) => Promise.reject(readError(table, decoded(table, error))),
    )
  }

  private pageOptions({ node, ...page }: PageOptions): QueryOptions {
    return node === undefined ? page : { ...page, host: this.client.hosts.get(node) }
  }

  /** One statement, or several of one partition, which the server takes as one mutation. */
  write(statements: readonly Bound[], timestamp?: Timestamp): Promise<types.ResultSet> {
    const options = timestamp === undefined ? writing : writingAt(timestamp)
    const [first] = statements
    if (statements.length === 1 && first !== undefined) return this.client.execute(first.query, first.params, options)
    return this.client.batch(statements as Bound[], options)
  }

  /** A statement of the catalog, which is written and read by lightweight transactions. */
  async agree({ query, params }: Bound): Promise<types.ResultSet> {
    const answer = await this.client.execute(query, params, {
      ...writing,
      consistency: query.startsWith('SELECT') ? localSerial : localQuorum,
    })
    return withRows(catalogTable, answer)
  }

  /** A change of tables or columns. The caller holds the lock, and waits for the other nodes. */
  async define(statement: string): Promise<void> {
    await this.client.execute(statement, [], { isIdempotent: false, prepare: false, consistency: localQuorum, retry: neverAgain })
  }

  /** The addresses of the nodes that the driver knows, once it is connected. */
  nodes(): readonly string[] {
    return this.client.hosts.keys()
  }

  /** The schema version of a node, then the versions that it knows of other nodes. */
  async schemaVersions(node: string): Promise<readonly string[]> {
    const host = this.client.hosts.get(node)
    const options: QueryOptions = { host, prepare: false, consistency: localOne, readTimeout: nodeTimeout, retry: neverAgain }
    const [own, others] = await Promise.all([
      this.client.execute('SELECT schema_version FROM system.local', [], options),
      this.client.execute('SELECT schema_version FROM system.peers', [], options),
    ])
    const rows = [withRows('system.local', own), withRows('system.peers', others)].flatMap((answer) => answer.rows)
    return rows.map((row) => String(row['schema_version'])).filter((version) => version !== 'null')
  }

  /** What makes tokens of partitions. @throws RowkeyError `STORE_UNAVAILABLE`; errors of the driver */
  async partitioner(table: string): Promise<string> {
    const { rows } = await this.read(table, { query: 'SELECT partitioner FROM system.local', params: [] }, 'eventual')
    return textOf('system.local', rows[0] ?? {}, 'partitioner')
  }

  /** Whether tokens are 64-bit integers: under every partitioner but the default one they are not. @throws RowkeyError `STORE_UNAVAILABLE` */
  async hasTokens(table: string): Promise<boolean> {
    return (await this.partitioner(table)) === 'org.apache.cassandra.dht.Murmur3Partitioner'
  }

  /** The token of a partition, by the bytes of the columns of its key. */
  tokenOf(columns: readonly Buffer[]): bigint {
    const [only] = columns
    const key =
      columns.length === 1 && only !== undefined
        ? only
        : Buffer.concat(columns.flatMap((bytes) => [int16Of(bytes.length), bytes, Buffer.of(0)]))
    return BigInt(String((this.client.metadata.newToken(key) as unknown as { getValue(): unknown }).getValue()))
  }

  /** The version that the server reports. */
  async serverVersion(): Promise<string> {
    const answer = await this.client.execute('SELECT release_version FROM system.local', [], { prepare: false, consistency: localOne })
    return textOf('system.local', withRows('system.local', answer).rows[0] ?? {}, 'release_version')
  }

  /** Makes the driver read the definitions of tables now. It learns about changes by events, but waits while more of them follow. */
  async refresh(keyspace: string): Promise<void> {
    await this.client.metadata.refreshKeyspace(keyspace)
  }

  /**
   * Whether this is still what the driver knows of a table, without a promise. After a change the driver has another object. After `false` the caller
   * asks the driver, so this stays correct if a later driver keeps its tables elsewhere.
   */
  isCurrent(keyspace: string, table: metadata.TableMetadata): boolean {
    const known = this.client.metadata.keyspaces[keyspace] as KnownKeyspace | undefined
    return known?.tables?.[table.name] === table
  }

  /** What the driver knows of a table: the same object until the table changes. */
  tableMetadata(keyspace: string, table: string): Promise<metadata.TableMetadata | null> {
    return this.client.metadata.getTable(keyspace, table)
  }
}

function int16Of(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeUInt16BE(length)
  return bytes
}

/** Where the driver keeps the tables that it has read. Its types do not declare this. */
interface KnownKeyspace {
  readonly tables?: Readonly<Record<string, metadata.TableMetadata | undefined>>
}

const reading: QueryOptions = { prepare: true, isIdempotent: true, retry: retryReads as unknown as policies.retry.RetryPolicy }

// For every read except that of a page: all rows in one page.
const readingStrong = { ...reading, fetchSize: 0, consistency: localQuorum } satisfies QueryOptions
const readingEventual = { ...reading, fetchSize: 0, consistency: localOne } satisfies QueryOptions

/** Never marked idempotent: a conditional write that the driver sends twice is refused because of itself. The core knows what may be repeated. */
const writing = {
  prepare: true,
  logged: false,
  isIdempotent: false,
  consistency: localQuorum,
  serialConsistency: localSerial,
  fetchSize: 0,
  retry: neverAgain,
} satisfies QueryOptions

/** A literal with all properties, because a copy by `{ ...writing }` for each write costs several times as much. */
const writingAt = (timestamp: Timestamp): QueryOptions => ({
  prepare: writing.prepare,
  logged: writing.logged,
  isIdempotent: writing.isIdempotent,
  consistency: writing.consistency,
  serialConsistency: writing.serialConsistency,
  fetchSize: writing.fetchSize,
  retry: writing.retry,
  timestamp,
})
