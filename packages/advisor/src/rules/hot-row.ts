import { counted, showNames } from 'rowkey/internal'
import type { FormerValues } from 'rowkey/adapter'
import type { AdviceRule } from '../finding.js'
import { countsUp, keyColumns } from '../subject/columns.js'
import { isWindow, windowSeconds } from '../subject/partitions.js'
import { shareOfFirst } from '../subject/skew.js'
import { factsOf, hintOf } from '../subject/store-profile.js'
import { figure, percent, ratesOf, type Subject } from '../subject/subject.js'

/** One row is changed so often that each change reads thousands of former ones. */
export const hotRow: AdviceRule = {
  code: 'hot-row',
  stage: 'store',
  guides: [],
  find(subject) {
    const { writes, schema, store } = subject
    const former = factsOf(store)?.formerValues
    const { inserts = 0, updates = 0 } = ratesOf(subject)
    const skew = writes?.skew
    // Where as many rows are new as change, a row changes some times and then no more. Plain writes check nothing.
    if (former === undefined || forgets(subject, former) || schema.writes === 'plain' || updates <= inserts) return []
    const busiest = busiestRow(subject, former.seconds)
    if (busiest === undefined) return []
    const { rows, seconds } = busiest
    const share = shareOfFirst(rows, skew ?? 1)
    const past = updates * share * seconds
    if (past < former.many) return []
    const during = seconds === former.seconds ? counted(seconds / 86_400, 'day') : counted(seconds / 3600, 'hour')
    return [
      {
        // Without a skew that somebody gave, how often the busiest row is changed is an assumption.
        severity: skew === undefined ? 'info' : 'warning',
        evidence:
          `${percent(share)} of ${figure(updates)} updates a second for the busiest of ${counted(rows, 'row')}, with ` +
          `${skew === undefined ? 'the usual skew' : `skew ${skew}`} x ${during} = ${figure(past)} former values; measured: ${former.measured}`,
        message: `One row of ${showNames(
          keyColumns(subject).map(({ name }) => name),
          "'",
        )} changes so often that updates, increments and conditions get slow: each reads what the row was ${former.until}.`,
        fix: former.fix,
      },
    ]
  },
}

/** Whether a hint of the model makes the store forget what a row was. */
const forgets = ({ store, schema }: Subject, { hint }: FormerValues): boolean => hintOf(schema, store?.name ?? '', hint) === false

/** How many rows share the changes of a moment, and how long; undefined if nothing says so, or new rows take the place of old ones. */
function busiestRow(subject: Subject, keptSeconds: number): { readonly rows: number; readonly seconds: number } | undefined {
  const windows = keyColumns(subject).filter((column) => isWindow(subject, column))
  const others = keyColumns(subject).filter((column) => !isWindow(subject, column))
  if (others.some((column) => countsUp(subject, column) !== undefined)) return undefined
  let rows = 1
  for (const { name } of others) {
    const distinct = subject.writes?.distinct?.[name]
    if (distinct === undefined) return undefined
    rows *= distinct
  }
  return { rows, seconds: Math.min(keptSeconds, ...windows.map(windowSeconds)) }
}
