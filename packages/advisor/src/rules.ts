import type { AdviceRule } from './finding.js'
import { columnDropped } from './rules/column-dropped.js'
import { equalKeys } from './rules/equal-keys.js'
import { fanOut } from './rules/fan-out.js'
import { fewBuckets } from './rules/few-buckets.js'
import { fewValuedSalt } from './rules/few-valued-salt.js'
import { filter } from './rules/filter.js'
import { fullScan } from './rules/full-scan.js'
import { giantTenant } from './rules/giant-tenant.js'
import { hashPrefixRange } from './rules/hash-prefix-range.js'
import { hotPartition } from './rules/hot-partition.js'
import { hotRow } from './rules/hot-row.js'
import { hull } from './rules/hull.js'
import { keyChanged } from './rules/key-changed.js'
import { kuduEncoding } from './rules/kudu-encoding.js'
import { kuduHashLevels } from './rules/kudu-hash-levels.js'
import { kuduKeyType } from './rules/kudu-key-type.js'
import { kuduNoPartitions } from './rules/kudu-no-partitions.js'
import { kuduRanges } from './rules/kudu-ranges.js'
import { kuduTablets } from './rules/kudu-tablets.js'
import { kuduTime } from './rules/kudu-time.js'
import { largePartition } from './rules/large-partition.js'
import { longKey } from './rules/long-key.js'
import { lowCardinalityFirst } from './rules/low-cardinality-first.js'
import { manyKeyColumns } from './rules/many-key-columns.js'
import { mergedPeriods } from './rules/merged-periods.js'
import { moduloSeconds } from './rules/modulo-seconds.js'
import { monotonicFirst } from './rules/monotonic-first.js'
import { nameAsText } from './rules/name-as-text.js'
import { numberAsText } from './rules/number-as-text.js'
import { oneThread } from './rules/one-thread.js'
import { openRange } from './rules/open-range.js'
import { periodHot } from './rules/period-hot.js'
import { periodRanges } from './rules/period-ranges.js'
import { periodRetention } from './rules/period-retention.js'
import { personalKey } from './rules/personal-key.js'
import { randomSuffix } from './rules/random-suffix.js'
import { refusedQuery } from './rules/refused-query.js'
import { reverse } from './rules/reverse.js'
import { reversedVariable } from './rules/reversed-variable.js'
import { saltChanged } from './rules/salt-changed.js'
import { sharedPrefixFirst } from './rules/shared-prefix-first.js'
import { splitText } from './rules/split-text.js'
import { storeSays } from './rules/store-says.js'
import { tombstoneQueue } from './rules/tombstone-queue.js'
import { typeChanged } from './rules/type-changed.js'
import { unorderedText } from './rules/unordered-text.js'
import { unreachableSplit } from './rules/unreachable-split.js'
import { unusedBuckets } from './rules/unused-buckets.js'

/** All rules, in the order in which findings of one severity are told. */
export const rules: readonly AdviceRule[] = [
  // What a table cannot get rid of
  keyChanged,
  saltChanged,
  typeChanged,
  columnDropped,
  // Where new rows go
  monotonicFirst,
  periodHot,
  lowCardinalityFirst,
  sharedPrefixFirst,
  moduloSeconds,
  unusedBuckets,
  fewValuedSalt,
  randomSuffix,
  // Keys
  equalKeys,
  manyKeyColumns,
  longKey,
  numberAsText,
  nameAsText,
  unorderedText,
  splitText,
  reversedVariable,
  personalKey,
  // Queries
  fullScan,
  hashPrefixRange,
  refusedQuery,
  fanOut,
  filter,
  hull,
  openRange,
  mergedPeriods,
  periodRanges,
  reverse,
  // Stores
  storeSays,
  fewBuckets,
  hotPartition,
  hotRow,
  giantTenant,
  largePartition,
  periodRetention,
  tombstoneQueue,
  oneThread,
  unreachableSplit,
  kuduKeyType,
  kuduNoPartitions,
  kuduTablets,
  kuduHashLevels,
  kuduTime,
  kuduRanges,
  kuduEncoding,
]
