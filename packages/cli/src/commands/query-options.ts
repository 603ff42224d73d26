// Tested by stores-commands.test.ts.
import type { Command } from 'commander'
import type { ScanOptions, TableSchema } from 'rowkey'
import { positive } from './options.js'
import { orderOf } from '../where/where-of.js'

/** How a query may read. */
export interface QueryFlags {
  readonly order?: string
  readonly reverse?: true
  readonly unbounded?: true
  readonly maxRanges?: number
  readonly maxFanOut?: number
}

/** Adds what limits a query. */
export const withQueryOptions = (command: Command): Command =>
  command
    .option('--unbounded', 'also run what reads the whole table')
    .option('--max-ranges <count>', 'the most ranges that the query may read', positive)
    .option('--max-fan-out <count>', 'the most buckets that it may read', positive)

/** The same as a scan takes it. */
export function queryOptionsOf(
  schema: TableSchema,
  { order, reverse, unbounded, maxRanges, maxFanOut }: QueryFlags,
): ScanOptions<TableSchema> {
  return {
    order: reverse === true ? 'reverse' : order === undefined ? undefined : orderOf(schema, order),
    ...(unbounded === undefined ? {} : { unbounded }),
    ...(maxRanges === undefined ? {} : { maxRanges }),
    ...(maxFanOut === undefined ? {} : { maxFanOut }),
  }
}
