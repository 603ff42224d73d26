import type { SkippedRule } from 'rowkey/conformance'

/** Rules of batches over several tables. */
const ofTables = ['ADAPTER-11: an atomic batch may span tables', 'TABLE-10: a dropped table is TABLE_NOT_FOUND for atomic batches']

/** Rules of keys that only have the order of their bytes. */
const ofByteOrder = ['split', 'split_bare', 'split_bare_salted', 'split_by_day', 'split_by_user'].map(
  (name) => `SCAN-13: keys that are ordered by their bytes (${name}): queries return the rows that they must, in order`,
)

const ofRows = ['capabilities.atomic is row, 1', "capabilities.atomic.scope is 'row'"]

/** The rules that a store need not follow: their titles, or all that it lacks. */
interface Skipped {
  readonly titles?: readonly string[]
  readonly because?: readonly string[]
}

/** Of each server, the only rules that are skipped. Its own tests and those of `rowkey check` expect the same. */
export const skippedOn = {
  redis: { titles: ofTables },
  dynalite: { because: ofRows }, // it has no transactions
  moto: {},
  cassandra: { titles: [ofTables[0] as string, ...ofByteOrder, ofTables[1] as string] },
  hbase: { because: ofRows },
  kudu: {
    because: [...ofRows, "capabilities.conditions is 'presence'", "capabilities.keyOrder is 'columns'", 'capabilities.reverse is false'],
  },
} as const satisfies Readonly<Record<string, Skipped>>

/** Whether a rule is skipped on a server. */
export function isSkippedOn(server: keyof typeof skippedOn, { rule, because }: SkippedRule): boolean {
  const { titles = [], because: reasons = [] }: Skipped = skippedOn[server]
  return titles.includes(rule) || reasons.includes(because)
}
