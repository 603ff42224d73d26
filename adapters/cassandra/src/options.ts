import { checkOptionNames, clientOption, hintsOf, invalidOption, type Hints, type NameRules, type TableSchema } from 'rowkey/adapter'
import { compactionHints, compactionText, partitionPeriod, type CompactionHints } from './hints/compaction.js'

/** Options of `cassandra()`. */
export interface CassandraOptions {
  /** The keyspace of the tables; by default that of the client. It must exist. */
  readonly keyspace?: string
}

/**
 * A `Client` of cassandra-driver. This is a type of its own, because the driver's declarations only compile in projects with `@types/node`.
 */
export interface CassandraClient {
  execute(query: string, params?: never, options?: never): Promise<unknown>
  shutdown(): Promise<unknown>
}

/** The options of a client, which the driver's types do not show. */
interface Configured {
  readonly options?: ClientOptions
}
interface ClientOptions {
  readonly keyspace?: string
  readonly protocolOptions?: { readonly maxVersion?: number }
  readonly encoding?: { readonly useUndefinedAsUnset?: boolean }
  readonly isMetadataSyncEnabled?: boolean
  readonly policies?: { readonly timestampGeneration?: { next(client: object): unknown } }
}

const keyspaceName = /^[A-Za-z0-9_]{1,48}$/

/**
 * The keyspace to work in, if client and options can be used.
 *
 * @throws RowkeyError `INVALID_OPTION`, `CLIENT_OPTION`
 */
export function checkOptions(client: CassandraClient, options: CassandraOptions): string {
  if (typeof (client as Partial<CassandraClient> | null)?.execute !== 'function') {
    throw invalidOption('cassandra', 'client', client, 'Give a Client of cassandra-driver.')
  }
  checkOptionNames('cassandra', options, ['keyspace'])
  checkClient(optionsOf(client))
  return checkKeyspace(options.keyspace ?? optionsOf(client).keyspace)
}

/** The keyspace of the options alone, if they have one. @throws RowkeyError `INVALID_OPTION` */
export function keyspaceOf(options: CassandraOptions): string | undefined {
  checkOptionNames('cassandra', options, ['keyspace'])
  return options.keyspace === undefined ? undefined : checkKeyspace(options.keyspace)
}

function checkKeyspace(name: unknown): string {
  if (typeof name === 'string' && keyspaceName.test(name)) return name
  throw invalidOption(
    'cassandra',
    'keyspace',
    name,
    'Give the name of a keyspace, of at most 48 letters, digits and underscores, here or to the client.',
  )
}

export const optionsOf = (client: CassandraClient): ClientOptions => (client as Configured).options ?? {}

function checkClient({ protocolOptions, isMetadataSyncEnabled, encoding }: ClientOptions): void {
  const version = protocolOptions?.maxVersion
  if (typeof version === 'number' && version > 0 && version < 4) {
    throw clientOption(
      'cassandra',
      'protocolOptions.maxVersion',
      version,
      'Before version 4, a statement cannot leave a column as it is.',
      'Leave it out.',
    )
  }
  if (encoding?.useUndefinedAsUnset === false) {
    throw clientOption(
      'cassandra',
      'encoding.useUndefinedAsUnset',
      false,
      'Updates would clear columns that they must leave as they are.',
      'Leave it out.',
    )
  }
  if (isMetadataSyncEnabled === false) {
    throw clientOption(
      'cassandra',
      'isMetadataSyncEnabled',
      false,
      'A put clears columns that other processes have added to the table, and the metadata tells which these are.',
      'Leave it out.',
    )
  }
}

// Options of a table that a model may set: defineTable('logs', { …, stores: { cassandra: { compaction: 'TimeWindow' } } }).

export const name = 'cassandra'

export const hints: Hints = Object.freeze({
  ...compactionHints,
  gcGraceSeconds: {
    fits: (given) => Number.isInteger(given) && (given as number) >= 0 && (given as number) <= 2 ** 31 - 1,
    wants: 'a number of seconds',
  },
  filterPartitions: {
    fits: (given, schema) => given === false || (given === true && partitionPeriod(schema) !== undefined),
    wants: 'true or false, and true only to a table with a period() among its partition columns, so that no partition grows without end',
  },
} satisfies Hints)

/** The catalog is a table, and buckets are a column; the driver uses `__columns` itself. */
export const names: NameRules = Object.freeze({
  table: { fits: (given) => /^(?!rk_)[A-Za-z0-9_]{1,48}$/.test(given), wants: "1 to 48 letters, digits and '_', not beginning with rk_" },
  column: { fits: (given) => !/^(__columns|rk_.*)$/.test(given), wants: 'all but __columns and those that begin with rk_' },
} satisfies NameRules)

/** What a model says of its table. @throws RowkeyError `INVALID_OPTION` */
export const cassandraHints = (schema: TableSchema): CassandraHints => hintsOf({ name, hints }, schema)

interface CassandraHints extends CompactionHints {
  readonly gcGraceSeconds?: number
  readonly filterPartitions?: boolean
}

/** The options of a CREATE TABLE. @throws RowkeyError `INVALID_OPTION` */
export function tableOptions(schema: TableSchema): readonly string[] {
  const given = cassandraHints(schema)
  const compaction = compactionText(schema, given)
  const { gcGraceSeconds } = given
  return [
    ...(compaction === undefined ? [] : [compaction]),
    ...(gcGraceSeconds === undefined ? [] : [`gc_grace_seconds = ${gcGraceSeconds}`]),
  ]
}
