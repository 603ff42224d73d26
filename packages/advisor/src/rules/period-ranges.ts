// Tested by periods.test.ts.
import { counted, durationMs, type SchemaColumn, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { distinctOf } from '../subject/columns.js'
import { largestPartition, partitionColumns } from '../subject/partitions.js'
import { aPeriod, everyOf, isPeriod, periodSeconds, type Every } from '../subject/period-columns.js'
import { longestPeriod } from '../subject/periods.js'
import { isNamed, listed, rowsAtMost, type AskedQuery } from '../subject/queries.js'
import { partitionLimits } from '../subject/store-profile.js'
import { figure, ratesOf, type Subject } from '../subject/subject.js'
import { often } from './explained.js'

/** Periods of a page, up to which that is a cost and no more. It is a rule of thumb. */
const few = 50

/** The shortest that is long enough leaves partitions smallest. */
const everies: readonly Every[] = ['hour', 'day', 'week', 'month', 'year']

/** So few rows in a period that a page walks many of them, one request each. */
export const periodRanges: AdviceRule = {
  code: 'period-ranges',
  stage: 'queries',
  guides: [],
  find: (subject) =>
    subject.queries.flatMap((query): readonly RuleFinding[] => {
      const column = walkedBy(subject, query)
      const walk = column === undefined ? undefined : walkOf(subject, query, everyOf(column) ?? 'day')
      if (column === undefined || walk === undefined || walk.periods <= few) return []
      const every = everyOf(column) ?? 'day'
      const buckets = query.explanation?.buckets.read ?? 1
      return [
        {
          severity: 'warning',
          column: column.name,
          evidence:
            `${walk.because} ${figure(walk.periods)} ${every}s${buckets === 1 ? '' : ` x ${counted(buckets, 'bucket')}`} = ` +
            `${figure(walk.periods * buckets)} requests, ${often(query)}: ${query.text}`,
          message: `A page walks many ${every}s of '${showName(column.type.of)}', ${walk.reason}. A page that finds few rows goes on until the range ends.`,
          ...fixOf(subject, column, every, walk.seconds / few),
        },
      ]
    }),
}

/** How many periods a scan walks, and why. */
interface Walk {
  readonly periods: number
  readonly because: string
  readonly reason: string
  /** How long they are together. */
  readonly seconds: number
}

/** As many as have the rows of a page, or all of the time that it covers. Rows that have expired are not walked to. */
function walkOf(subject: Subject, query: AskedQuery, every: Every): Walk | undefined {
  const rows = rowsAtMost(query)
  const inserts = ratesOf(subject).inserts ?? 0
  const length = periodSeconds[every]
  const kept = (subject.schema.ttl ?? Infinity) / 1000
  const { span } = query.shape
  const covered = Math.min(kept, (durationMs(span) ?? Infinity) / 1000)
  if (rows !== undefined && inserts > 0) {
    const perSecond = inserts * shareOf(subject, query)
    const seconds = Math.min(rows / perSecond, covered)
    const isLeast = namedIn(subject, query).some((column) => distinctOf(subject, column)?.isLeast === true)
    return {
      periods: seconds / length,
      because: `${isLeast ? 'at most ' : ''}${figure(perSecond * length)} rows ${aPeriod(every)}: ${counted(rows, 'row')} take`,
      reason: 'because a value of what the query names has few rows in each',
      seconds,
    }
  }
  if (rows !== undefined || span === undefined) return undefined
  return { periods: covered / length, because: `${span} are`, reason: 'because the query covers so much time', seconds: covered }
}

/** The period whose values a scan finds by a range of its source. */
function walkedBy(subject: Subject, { explanation, shape }: AskedQuery): SchemaColumn | undefined {
  if (explanation === undefined || explanation.keys > 0) return undefined
  return partitionColumns(subject).find(
    ({ name, type }) => type.of !== undefined && Array.isArray(shape.where[type.of]) && shape.where[name] === undefined,
  )
}

/** The columns for which a query gives values. */
const namedIn = ({ schema }: Subject, query: AskedQuery): readonly SchemaColumn[] =>
  schema.columns.filter((column) => !isPeriod(column) && isNamed(query, column.name))

/** The part of all rows that has the values of a query, as far as it is known how many there are. */
const shareOf = (subject: Subject, query: AskedQuery): number =>
  namedIn(subject, query).reduce(
    (share, column) => share * Math.min(1, (listed(query, column.name) ?? 1) / (distinctOf(subject, column)?.count ?? 1)),
    1,
  )

/** A period of so many seconds, if a partition may be so long. */
function fixOf(subject: Subject, column: SchemaColumn, every: Every, seconds: number): Pick<RuleFinding, 'fix' | 'change'> {
  const longer = everies.filter((each) => periodSeconds[each] > periodSeconds[every] && periodSeconds[each] >= seconds)
  const perSecond = (ratesOf(subject).inserts ?? 0) * (largestPartition(subject)?.share ?? 1)
  const found = longestPeriod(subject, longer, { perSecond, most: partitionLimits(subject.store).rows ?? Infinity })
  if (found !== undefined) return { change: found.change, fix: found.fix }
  const isAlone = subject.schema.partitionLength === 1
  return {
    fix: `${isAlone ? 'Keep an index table of what is rare' : `Keep rows of what has few in a table without '${showName(column.name)}'`}, or ask for a range that has rows.`,
  }
}
