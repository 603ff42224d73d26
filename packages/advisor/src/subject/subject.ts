// Tested by severity.test.ts and demand.test.ts.
import type { TableSchema } from 'rowkey'
import type { TableIndex } from 'rowkey/internal'
import type { AskedQuery } from './queries.js'
import type { StoreProfile } from './store-profile.js'
import type { TableStats } from '../data/table-stats.js'

/** The writes of a table. A table that is only read has no rates here, but what follows is also about its reads. */
export interface WriteLoad {
  readonly table: string
  /** New rows, changes of existing rows, and deleted rows, each per second. */
  readonly perSecond?: { readonly inserts?: number; readonly updates?: number; readonly deletes?: number }
  /**
   * How unevenly the values of a column are used by writes and queries: the exponent of a Zipf distribution. 1 by default, which is usual: among 10,000 users the first
   * makes a tenth of all requests. 0: all values equally often.
   */
  readonly skew?: number
  /** How many different values columns will have, by column. If there is a sample, that decides. */
  readonly distinct?: Readonly<Record<string, number>>
}

/** What rules look at: one table, and what is known of its use. */
export interface Subject {
  readonly schema: TableSchema
  /** Those that read this table, or are refused. */
  readonly queries: readonly AskedQuery[]
  /** Those that read an index of this table, whose entries are subjects of their own. */
  readonly byIndex: readonly AskedQuery[]
  /** The table whose entries these are, if this is one of its indexes. */
  readonly rows?: { readonly schema: TableSchema; readonly index: TableIndex }
  readonly writes: WriteLoad | undefined
  readonly stats: TableStats | undefined
  readonly store: StoreProfile | undefined
  /** The schema that the table has now. */
  readonly existing: TableSchema | undefined
  /** What is asked of all tables that are judged together, as they are before any change. */
  readonly loads: TableLoads
}

/** What is asked of a table, in commands a second. */
export interface TableLoad {
  readonly table: string
  readonly commands: number
}

/** What is asked of tables that are in one store, in commands a second. */
export interface TableLoads {
  /** Of this table. */
  readonly own: number
  /** Of all tables. */
  readonly all: number
  /** Of all tables before a change that is tried. */
  readonly before?: number
  /** Of each table, the busiest first. */
  readonly tables: readonly TableLoad[]
}

/** The writes per second that are known. */
export const ratesOf = ({ writes }: Pick<Subject, 'writes'>): NonNullable<WriteLoad['perSecond']> => writes?.perSecond ?? {}

/** Writes per second, of all sorts. */
export function writesPerSecond(subject: Subject): number {
  const { inserts = 0, updates = 0, deletes = 0 } = ratesOf(subject)
  return inserts + updates + deletes
}

/** A number as people read it. */
export const figure = (value: number): string =>
  value >= 99.5 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toPrecision(2)

/** A share as per cent. */
export const percent = (share: number): string => `${share >= 0.1 ? Math.round(share * 100) : Number((share * 100).toPrecision(1))} %`
