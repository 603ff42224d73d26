import type { SkippedRule } from 'rowkey/conformance'

/** Rules of batches over several tables. */
const ofTables = ['ADAPTER-11: an atomic batch may span tables', 'TABLE-10: a dropped table is TABLE_NOT_FOUND for atomic batches']

/** Rules of keys that only have the order of their bytes. */
const ofByteOrder = ['split', 'split_bare', 'split_bare_salted', 'split_by_day', 'split_by_user'].map(
  (name) => `SCAN-13: keys that are ordered by their bytes (${name}): queries return the rows that they must, in order`,
)

/** Rules that a store need not follow: by their titles, or by what it lacks. */
type Expected = (skipped: SkippedRule) => boolean

const titled =
  (...titles: readonly string[]): Expected =>
  ({ rule }) =>
    titles.includes(rule)
const because =
  (...reasons: readonly string[]): Expected =>
  (skipped) =>
    reasons.includes(skipped.because)

const ofRows = because('capabilities.atomic is row, 1', "capabilities.atomic.scope is 'row'")

/** Of each server, the only rules that are skipped. Its own tests and those of `rowkey check` expect the same. */
export const isSkippedOn: Readonly<Record<'redis' | 'dynalite' | 'moto' | 'cassandra' | 'hbase' | 'kudu', Expected>> = {
  redis: titled(...ofTables),
  dynalite: ofRows, // it has no transactions
  moto: () => false,
  cassandra: titled(...ofTables, ...ofByteOrder),
  hbase: ofRows,
  kudu: because(
    'capabilities.atomic is row, 1',
    "capabilities.atomic.scope is 'row'",
    "capabilities.conditions is 'presence'",
    "capabilities.keyOrder is 'columns'",
    'capabilities.reverse is false',
  ),
}
