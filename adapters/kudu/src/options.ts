import type { KuduClient } from '@rowkey/kudu-client'
import { columnsFault, type ColumnStorages } from './hints/column-storage.js'
import { rangeFault, rangesOf, type RangeHint } from './hints/range-hint.js'
import { checkOptionNames, hintsOf, invalidOption, type Hints, type NameRules, type TableCatalog, type TableSchema } from 'rowkey/adapter'

/** Options of `kudu()`. */
export interface KuduOptions {
  /** Begins the names of all tables, as SQL engines with a metastore write them: 'shop' makes table 'shop.orders'. Default: none. */
  readonly database?: string
  /**
   * Hash partitions of new tables whose models say nothing of it, because they have neither a salt nor ranges: of their partition columns, or of
   * the whole key. Default: such a table is refused, because Kudu has no default partitioning.
   */
  readonly hash?: number
  /** Replicas of each tablet of new tables, an odd number; default that of the master, usually 3. */
  readonly replicas?: number
}

export const name = 'kudu'

/** The table of the catalogs. */
export const catalogTable = 'rk_catalog'

/** All options. @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: KuduOptions): KuduOptions {
  checkOptionNames(name, options, ['database', 'hash', 'replicas'])
  const { database, hash, replicas } = options
  if (database !== undefined && !(typeof database === 'string' && /^[\w:.-]{1,100}$/.test(database))) {
    throw invalidOption(name, 'database', database, 'Give a name of letters, digits and underscores.')
  }
  if (hash !== undefined && !isWhole(hash, 2, maxHash)) throw invalidOption(name, 'hash', hash, `Give a whole number from 2 to ${maxHash}.`)
  if (replicas !== undefined && !(isWhole(replicas, 1, 7) && replicas % 2 === 1)) {
    throw invalidOption(name, 'replicas', replicas, 'Give 1, 3, 5 or 7.')
  }
  return options
}

const maxHash = 1000

const isWhole = (given: unknown, least: number, max: number): given is number =>
  Number.isInteger(given) && (given as number) >= least && (given as number) <= max

/** The name of a table in the store. */
export const nameIn = ({ database }: KuduOptions, table: string): string => (database === undefined ? table : `${database}.${table}`)

/** Names a table among all that had its name. */
export const idOf = (catalog: TableCatalog): string => String(catalog.store?.['id'])

/** @throws RowkeyError `INVALID_OPTION` for what is not a client */
export function checkClient(client: KuduClient): void {
  const given = client as Partial<KuduClient> | null | undefined
  if (typeof given?.scan === 'function' && typeof given.openTable === 'function') return
  throw invalidOption(name, 'client', client, 'Give a KuduClient of @rowkey/kudu-client.')
}

/** What a model may say about its table on this store: `stores: { kudu: { strict: true } }`. */
export interface KuduHints {
  /** Refuses the table if a key column would be stored as the bytes of a rowkey. */
  readonly strict?: boolean
  /** Cuts the table by ranges of key columns, which are added and dropped as time goes on: see `db.rotate()`. */
  readonly range?: RangeHint
  /** `'rotate'`: `db.rotate()` drops a range when all of its rows have expired. A model with a `ttl` is refused without it. */
  readonly expire?: 'rotate'
  /** How the cells of columns are kept on the disk, by their names in the model: `{ line: { encoding: 'prefix', compression: 'lz4' } }`. */
  readonly columns?: ColumnStorages
  /**
   * `ensureTables` drops the columns that the model lists as `retired`, with their values. A running program with an older model, which still declares
   * them, is refused from then on. One that starts adds them again, empty.
   */
  readonly dropRetired?: boolean
}

export const hints: Hints = Object.freeze({
  strict: { fits: (given) => typeof given === 'boolean', wants: 'true or false' },
  range: {
    fits: (given, schema) => rangeFault(given, schema) === undefined,
    wants: (given, schema) => rangeFault(given, schema) ?? '',
  },
  expire: {
    fits: (given, schema) =>
      given === 'rotate' &&
      schema.ttl !== undefined &&
      rangesOf(schema)?.times !== undefined &&
      rangesOf(schema)?.times?.keep === undefined,
    wants: "'rotate', and only to a table with a ttl and ranges of time without keep, which the ttl is",
    lacking: ({ name: table, expiryIndex }) =>
      expiryIndex < 0
        ? undefined
        : `kudu does not let single rows expire: those of '${table}' would be hidden, and stay on the disk. Declare writes: 'plain', a ttl such as '30d' ` +
          "and stores: { kudu: { expire: 'rotate', range: { of: 'at', every: 'day' } } }, so that db.rotate() drops rows with their range of time. Or " +
          'declare the table without ttl.',
  },
  columns: {
    fits: (given, schema) => columnsFault(given, schema) === undefined,
    wants: (given, schema) => columnsFault(given, schema) ?? '',
  },
  dropRetired: { fits: (given) => typeof given === 'boolean', wants: 'true or false' },
} satisfies Hints)

/** Kudu takes 256 bytes, of which a database has some. */
const maxNameBytes = 150

const fitsName = (given: string): boolean => Buffer.byteLength(given) <= maxNameBytes && !given.includes('\0') && given.isWellFormed()

/** Names beginning with `rk_` are those of the adapter. */
export const names: NameRules = Object.freeze({
  table: { fits: (given) => fitsName(given) && !given.startsWith('rk_'), wants: 'up to 150 bytes of UTF-8, not beginning with rk_' },
  column: { fits: (given) => fitsName(given) && !given.startsWith('rk_'), wants: 'up to 150 bytes of UTF-8, not beginning with rk_' },
} satisfies NameRules)

/** What a model says of its table. @throws RowkeyError `INVALID_OPTION` */
export const kuduHints = (schema: TableSchema): KuduHints => hintsOf({ name, hints }, schema)
