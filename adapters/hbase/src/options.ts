// Tested by adapter.test.ts.
import type { HBaseClient } from '@rowkey/hbase-client'
import { checkOptionNames, hintsOf, invalidOption, type Hints, type NameRules, type TableSchema } from 'rowkey/adapter'
import { profiles, type Profile } from './capabilities.js'

/** Options of `hbase()`. */
export interface HBaseOptions {
  /** The namespace of the tables; default that of HBase, `default`. It must exist. */
  readonly namespace?: string
  /**
   * What the servers are: `hbase` (default), or `lindorm` with its limits. On Lindorm, deletes and puts carry timestamps of this
   * process, because tables there have no NEW_VERSION_BEHAVIOR.
   */
  readonly profile?: Profile
}

/** All options. @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: HBaseOptions): Required<HBaseOptions> {
  checkOptionNames(name, options, ['namespace', 'profile'])
  const { namespace = 'default', profile = 'hbase' } = options
  if (typeof namespace !== 'string' || !/^\w{1,100}$/.test(namespace)) {
    throw invalidOption(name, 'namespace', namespace, 'Give a name of letters, digits and underscores.')
  }
  if (!Object.hasOwn(profiles, profile)) throw invalidOption(name, 'profile', profile, "Give 'hbase' or 'lindorm'.")
  return { namespace, profile }
}

/** @throws RowkeyError `INVALID_OPTION` for what is not a client */
export function checkClient(client: HBaseClient): void {
  const given = client as Partial<HBaseClient> | null | undefined
  if (typeof given?.scan === 'function' && typeof given.checkAndMutate === 'function') return
  throw invalidOption(name, 'client', client, 'Give an HBaseClient of @rowkey/hbase-client.')
}

/** Where a new table is cut into regions: in so many parts at borders of buckets, at these rowkeys, or by a sample of rowkeys. */
export type Splits = number | readonly string[] | { readonly sample: readonly string[]; readonly count: number }

/** What a model may say about its table on this store: `stores: { hbase: { splits: 16, compression: 'SNAPPY' } }`. */
export interface HBaseHints {
  /** Regions of a new table. Rowkeys are in hexadecimal digits, as `toHex()` of the codec writes them. */
  readonly splits?: Splits
  readonly compression?: string
  readonly dataBlockEncoding?: string
  readonly bloomFilter?: string
  /**
   * Seconds after which the server removes a cell, counted from when it was written: also cells of rows that do not expire, or that expire later.
   * An `update` writes some cells anew, so the others are gone first: give it to tables whose rows are always put whole.
   * Reads go by the expiry of the model in any case.
   */
  readonly timeToLive?: number
  /** How many versions of a cell the server keeps. Default 1. Reads see the newest one. */
  readonly versions?: number
  /**
   * `false`: a new table gets no NEW_VERSION_BEHAVIOR, and its puts and deletes carry timestamps of this process. Then rows that change often stay
   * cheap to update and increment. In two cases an acknowledged write can be lost: read the README before.
   */
  readonly newVersionBehavior?: false
}

const compressions = ['NONE', 'GZ', 'SNAPPY', 'LZO', 'LZ4', 'BZIP2', 'ZSTD']
const encodings = ['NONE', 'PREFIX', 'DIFF', 'FAST_DIFF', 'ROW_INDEX_V1']
/** Not ROWCOL: with NEW_VERSION_BEHAVIOR, HBase 2.6 never ends a read of some columns, and the thread of the server goes on until it is restarted. */
const bloomFilters = ['NONE', 'ROW']

export const name = 'hbase'

const oneOf = (known: readonly string[]): Hints[string] => ({
  fits: (given) => known.some((each) => each === given),
  wants: `one of ${known.join(', ')}`,
})
const integer = (max: number, what: string): Hints[string] => ({ fits: (given) => isInteger(given, 1, max), wants: what })

export const hints: Hints = Object.freeze({
  splits: {
    fits: isSplits,
    wants: 'a number from 2 to 1000, a list of rowkeys in hexadecimal digits, or { sample, count } with such a list',
  },
  compression: oneOf(compressions),
  dataBlockEncoding: oneOf(encodings),
  bloomFilter: oneOf(bloomFilters),
  timeToLive: integer(2 ** 31 - 2, 'a number of seconds'),
  versions: integer(1000, 'a number from 1 to 1000'),
  newVersionBehavior: { fits: (given) => given === false, wants: 'false, or leave it out' },
} satisfies Record<keyof HBaseHints, Hints[string]>)

/** @throws RowkeyError `INVALID_OPTION` */
export const hbaseHints = (schema: TableSchema): HBaseHints => hintsOf({ name, hints }, schema)

/** The table of the catalogs. */
export const catalogTable = 'rowkey_catalogs'

/** Columns are qualifiers of their row, beside the adapter's own. */
export const names: NameRules = Object.freeze({
  table: {
    fits: (given) => /^\w[\w.-]{0,199}$/.test(given) && given !== catalogTable,
    wants: `1 to 200 letters, digits, '_', '-' and '.', not beginning with '-' or '.', and not ${catalogTable}`,
  },
  column: { fits: (given) => !given.startsWith('rk_'), wants: 'all but those that begin with rk_' },
} satisfies NameRules)

const isInteger = (given: unknown, min: number, max: number): boolean =>
  Number.isInteger(given) && (given as number) >= min && (given as number) <= max

const isRowkey = (given: unknown): boolean => typeof given === 'string' && given.length > 0 && /^(?:[0-9a-f]{2})+$/i.test(given)

function isSplits(given: unknown): boolean {
  if (typeof given === 'number') return isInteger(given, 2, 1000)
  if (Array.isArray(given)) return given.length > 0 && given.every(isRowkey)
  if (typeof given !== 'object' || given === null || Object.keys(given).sort().join() !== 'count,sample') return false
  const { sample, count } = given as { readonly sample: unknown; readonly count: unknown }
  return Array.isArray(sample) && sample.length > 0 && sample.every(isRowkey) && isInteger(count, 2, 1000)
}
