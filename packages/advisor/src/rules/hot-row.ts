// Tested by hot-row.test.ts.
import { counted, showNames } from '@rowkey/codec/internal'
import type { AdviceRule } from '../finding.js'
import { countsUp, keyColumns } from '../subject/columns.js'
import { isWindow, windowSeconds } from '../subject/partitions.js'
import { shareOfFirst } from '../subject/skew.js'
import { figure, percent, type Subject } from '../subject/subject.js'

/** HBase keeps what a row was until a major compaction, weekly by default. */
const keptSeconds = 7 * 86_400
/** From so many on, a change takes four times as long as one of a fresh row, as measured. */
const many = 10_000

/** One row is changed so often that each change reads thousands of former ones. */
export const hotRow: AdviceRule = {
  code: 'hot-row',
  stage: 'store',
  guides: [],
  find(subject) {
    const { writes, schema } = subject
    const { inserts = 0, updates = 0, skew } = writes ?? {}
    // Where as many rows are new as change, a row changes some times and then no more. Plain writes check nothing.
    if (!keepsThePast(subject) || schema.writes === 'plain' || updates <= inserts) return []
    const busiest = busiestRow(subject)
    if (busiest === undefined) return []
    const { rows, seconds } = busiest
    const share = shareOfFirst(rows, skew ?? 1)
    const past = updates * share * seconds
    if (past < many) return []
    const during = seconds === keptSeconds ? '7 days' : counted(seconds / 3600, 'hour')
    return [
      {
        // Without a skew that somebody gave, how often the busiest row is changed is an assumption.
        severity: skew === undefined ? 'info' : 'warning',
        evidence:
          `${percent(share)} of ${figure(updates)} updates a second for the busiest of ${counted(rows, 'row')}, with ` +
          `${skew === undefined ? 'the usual skew' : `skew ${skew}`} x ${during} = ${figure(past)} former values; measured: 8 ms after 10,000, 2 ms for a fresh row`,
        message: `One row of ${showNames(
          keyColumns(subject).map(({ name }) => name),
          "'",
        )} changes so often that updates, increments and conditions get slow: each reads what the row was since the last major compaction.`,
        fix:
          'Spread the counter over several rows, or run major_compact more often, which cures it until the row has changed as often again. stores: { hbase: { newVersionBehavior: false } } on a ' +
          'new table keeps changes cheap, but can lose two kinds of acknowledged writes: one to a row that another process writes and deletes in the meantime, and one by a process ' +
          'whose clock is slow to a row that was deleted.',
      },
    ]
  },
}

/** Whether a check reads what a row was before: in HBase with NEW_VERSION_BEHAVIOR, which Lindorm does not have. */
function keepsThePast({ store, schema }: Subject): boolean {
  const { profile } = (store?.options ?? {}) as { readonly profile?: unknown }
  const { newVersionBehavior }: { readonly newVersionBehavior?: unknown } = schema.stores['hbase'] ?? {}
  return store?.name === 'hbase' && profile !== 'lindorm' && newVersionBehavior !== false
}

/** How many rows share the changes of a moment, and how long; undefined if nothing says so, or new rows take the place of old ones. */
function busiestRow(subject: Subject): { readonly rows: number; readonly seconds: number } | undefined {
  const windows = keyColumns(subject).filter(isWindow)
  const others = keyColumns(subject).filter((column) => !isWindow(column))
  if (others.some((column) => countsUp(subject, column) !== undefined)) return undefined
  let rows = 1
  for (const { name } of others) {
    const distinct = subject.writes?.distinct?.[name]
    if (distinct === undefined) return undefined
    rows *= distinct
  }
  return { rows, seconds: Math.min(keptSeconds, ...windows.map(windowSeconds)) }
}
