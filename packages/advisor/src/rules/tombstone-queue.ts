import { counted, type SchemaColumn, showName, showNames } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { countsUp, keyColumns } from '../subject/columns.js'
import { isPeriod } from '../subject/period-columns.js'
import { bucketsWithin, isWindow, largestShare, windowSeconds } from '../subject/partitions.js'
import { binds, hasLowEnd, orderOf, rowsAtMost, type AskedQuery } from '../subject/queries.js'
import { factsOf } from '../subject/store-profile.js'
import { figure, ratesOf, type Subject } from '../subject/subject.js'

/** A queue: rows are inserted at one end and deleted at the other, and each scan starts where the deleted ones were. */
export const tombstoneQueue: AdviceRule = {
  code: 'tombstone-queue',
  stage: 'store',
  guides: [],
  find(subject) {
    const { store, queries } = subject
    const keeping = factsOf(store)?.tombstones
    const { inserts = 0, deletes = 0 } = ratesOf(subject)
    const column = orderOfQueue(subject)
    if (keeping === undefined || deletes === 0 || deletes < inserts / 2 || column === undefined) return []
    // A scan reads what has the same values before the column, bucket by bucket.
    const key = keyColumns(subject)
    const before = key.slice(0, key.indexOf(column))
    const known = largestShare(subject, before)
    const share = known?.share ?? 1
    const buckets = bucketsWithin(subject, before)
    const days = Math.min(
      keeping.days,
      ...before.filter((column) => isWindow(subject, column)).map((each) => (isPeriod(each) ? windowSeconds(each) / 86_400 : 1)),
    )
    const marks = (deletes * share * days * 86_400) / buckets
    if (marks < keeping.few) return []
    const names = showNames(
      before.filter((each) => !isWindow(subject, each)).map(({ name }) => name),
      "'",
    )
    return [
      {
        // How scans read is only known of queries.
        severity: known === undefined || queries.length === 0 ? 'info' : 'warning',
        column: column.name,
        evidence:
          `${figure(deletes * share)} deletes a second${share < 1 ? ` for the busiest ${names}` : ''} x ${days < 1 ? counted(24 * days, 'hour') : counted(days, 'day')}` +
          `${buckets === 1 ? '' : ` / ${figure(buckets)} buckets`} = ${figure(marks)} marks` +
          `${known === undefined ? ` if all are for one ${names}` : ''}; ${keeping.fails}`,
        message: `Rows are inserted and deleted in the order of '${showName(column.name)}', as in a queue, and a scan from the start reads the marks of all deleted rows before it finds the first one that exists.`,
        fix: `Begin scans after the last row that was done ({ after }), ${days < keeping.days ? 'or make the window of the partition shorter' : "or put a day into the partition and read today's"}. Rows that expire by ttl leave marks too.`,
      },
    ]
  },
}

/** The column by which rows come and go: the first one after those that scans bind, if it counts up and a scan meets the deleted rows first. */
function orderOfQueue(subject: Subject): SchemaColumn | undefined {
  const { schema, queries } = subject
  const scans = queries.filter(({ explanation }) => explanation !== undefined && !['GET', 'MULTI-GET', 'EMPTY'].includes(explanation.kind))
  if (queries.length > 0 && scans.length === 0) return undefined
  const isBound = (name: string): boolean => scans.length > 0 && scans.every((query) => binds(query, name))
  const free = keyColumns(subject)
    .slice(schema.partitionLength)
    .find(({ name }) => !isBound(name))
  if (free === undefined || countsUp(subject, free) === undefined) return undefined
  return scans.length > 0 && scans.every((query) => avoidsMarks(query, free)) ? undefined : free
}

/** Whether a scan begins after the deleted rows, or ends before it comes to them: some of the newest are read, and the oldest are deleted. */
function avoidsMarks(query: AskedQuery, { name, type }: SchemaColumn): boolean {
  if (hasLowEnd(query.shape.where[name])) return true
  return rowsAtMost(query) !== undefined && (orderOf(query)[name] ?? (type.desc ? 'desc' : 'asc')) === 'desc'
}
