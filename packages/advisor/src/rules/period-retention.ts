// Tested by periods.test.ts.
import { showName } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { partitionColumns } from '../subject/partitions.js'
import { aPeriod, everyOf } from '../subject/period-columns.js'
import { factsOf, hintOf, titleOf } from '../subject/store-profile.js'
import { figure, ratesOf } from '../subject/subject.js'

/** Old periods that nothing removes, or that deletes cannot remove. */
export const periodRetention: AdviceRule = {
  code: 'period-retention',
  stage: 'store',
  guides: [],
  find(subject) {
    const { store, schema } = subject
    const windows = factsOf(store)?.windows
    const period = partitionColumns(subject).find(({ type }) => type.of !== undefined)
    const every = period === undefined ? undefined : everyOf(period)
    if (store === undefined || windows === undefined || period === undefined || every === undefined) return []
    const isWindowed =
      hintOf(schema, windows.store, windows.hint) === windows.value || hintOf(schema, windows.store, windows.size) !== undefined
    const { deletes = 0 } = ratesOf(subject)
    const code = `stores: { ${windows.store}: { ${windows.hint}: '${windows.value}' } }`
    if (isWindowed && deletes > 0)
      return [
        {
          severity: 'warning',
          evidence: `${figure(deletes)} deletes a second under ${windows.value} compaction`,
          message: `${titleOf(store)} compacts the rows of one window of time together, and a mark of a deleted row is in a later window than the row. They never meet, so deletes free no space, and scans read both.`,
          fix: `Let rows expire with ttl instead of deleting them, also by deleteAll(), or leave ${windows.hint} out.`,
        },
      ]
    if (isWindowed || schema.ttl !== undefined || deletes > 0) return []
    return [
      {
        severity: 'info',
        column: period.name,
        evidence: `1 partition ${aPeriod(every)} for each value before '${showName(period.name)}', without a time to live`,
        message: `Rows stay for ever, and partitions that are never written again are compacted with new ones.`,
        fix: `If rows are of use for a time only, declare ttl: '90d'. If they are kept and never changed, ${code} leaves old ones alone.`,
      },
    ]
  },
}
