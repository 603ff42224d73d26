import { defineTable, type TableSchema } from 'rowkey'
import { advise, sampleStats, type Finding, type AdviceOptions, type SampleOptions, type TableStats } from '../src/index.js'

export type Definition = Parameters<typeof defineTable>[1]

/** A table `rows`; what is no key column is a value. */
export const table = (columns: Definition['columns'], key: readonly string[], more: Partial<Definition> = {}): TableSchema =>
  defineTable('rows', { columns, key, ...more } as never)

/** What is said of a table under a code. */
export const found = (schema: TableSchema, code: string, options: AdviceOptions = {}): Finding | undefined =>
  advise([schema], options).findings.find((each) => each.code === code)

/** Statistics of rows that `row` makes of 0, 1, 2, … */
export const statsOf = (
  schema: TableSchema,
  row: (i: number) => Record<string, unknown>,
  count = 1000,
  options: SampleOptions = {},
): readonly TableStats[] => [
  sampleStats(
    schema,
    Array.from({ length: count }, (_, i) => row(i)),
    options,
  ),
]

/** The same as options. */
export const sampled = (...given: Parameters<typeof statsOf>): AdviceOptions => ({ stats: statsOf(...given) })

/** Numbers without order, the same in every run. */
export const scattered = (i: number): number => Math.imul(i + 1, 0x9e3779b1) >>> 0
