// Tested by rules.test.ts.
import type { AdviceRule } from '../finding.js'
import { isDay } from '../subject/columns.js'
import {
  bucketsWithin,
  inBuckets,
  inBucketsText,
  isById,
  isWindow,
  largestPartition,
  onlyPartitionColumn,
  partitionColumns,
  partitionNames,
  windowSeconds,
} from '../subject/partitions.js'
import { isPeriod, periodSeconds } from '../subject/period-columns.js'
import { dividedHour, leastRowBytes, periodFix } from '../subject/periods.js'
import { partitionLimits, titleOf } from '../subject/store-profile.js'
import { figure, ratesOf, type Subject } from '../subject/subject.js'

const secondsPerDay = 86_400

/** Partitions that grow beyond what a store reads and repairs well. */
export const largePartition: AdviceRule = {
  code: 'large-partition',
  stage: 'store',
  guides: ['G-50', 'G-51'],
  find(subject) {
    const { store, stats } = subject
    const limits = partitionLimits(store)
    const top = largestPartition(subject)
    if (isById(subject) || store === undefined || limits.rows === undefined || limits.bytes === undefined || top === undefined) return []
    const share = top.share / bucketsWithin(subject)
    // Long rows reach the limit of bytes first.
    const most = Math.floor(Math.min(limits.rows, limits.bytes / Math.max(1, stats?.rowBytes ?? leastRowBytes(subject))))
    const advised = `${titleOf(store)} advises ${most < limits.rows ? `${figure(limits.bytes / 1e6)} MB, which is ` : ''}${figure(most)}`
    const column = onlyPartitionColumn(subject)
    const rates = ratesOf(subject)
    const period = rates.inserts === undefined ? undefined : periodFix(subject, { perSecond: top.share * rates.inserts, most })
    const rows = share * (stats?.total ?? 0)
    if (rows > most && !partitionColumns(subject).some((column) => isWindow(subject, column))) {
      const change = inBuckets(subject, rows / most)
      return [
        {
          ...column,
          ...(period === undefined
            ? change === undefined
              ? { fix: 'Add a column to the partition that divides it, and that queries name.' }
              : { change, fix: inBucketsText(change) }
            : { change: period.change, fix: period.fix }),
          severity: 'warning',
          evidence: `${figure(rows)} rows in the largest partition ${top.because}; ${advised}`,
          message: `One value of ${partitionNames(subject)} has a partition that is too large.`,
        },
      ]
    }
    const inserts = share * ((rates.inserts ?? 0) - (rates.deletes ?? 0))
    const seconds = most / inserts
    if (inserts <= 0 || seconds > grows(subject)) return []
    const divided = dividedHour(subject, { perSecond: top.share * (rates.inserts ?? 0), most })
    return [
      {
        ...column,
        severity: 'warning',
        evidence: `${figure(inserts)} new rows a second in the largest partition ${top.because}: ${figure(most)} rows after ${after(seconds)}`,
        message: `One value of ${partitionNames(subject)} has a partition that grows too large. ${advised} rows.`,
        ...(period === undefined ? { fix: divided ?? windowText(subject, seconds) } : { change: period.change, fix: period.fix }),
      },
    ]
  },
}

/** A column that the application computes, in a unit that people use. */
function windowText(subject: Subject, seconds: number): string {
  const unit = (['week', 'day', 'hour'] as const).find((each) => periodSeconds[each] <= seconds) ?? 'hour'
  const parts = Math.ceil(periodSeconds[unit] / seconds)
  const isThere = partitionColumns(subject).some((each) => isWindow(subject, each))
  return (
    `Add a column to the partition that changes every ${unit}${isThere ? ', instead of the one that is there' : ''}` +
    `${parts > 1 ? `, and the number of one of ${figure(parts)} parts, because even an hour has so many times what one takes` : ''}.`
  )
}

/** For how many seconds a partition grows: a year at most is looked ahead. */
function grows(subject: Subject): number {
  const { schema } = subject
  // How long an hour, a month or a bucket of another name is, the model does not say.
  const lengths = partitionColumns(subject)
    .filter((column) => isWindow(subject, column))
    .map((column) => (isPeriod(column) ? windowSeconds(column) : isDay(column) ? secondsPerDay : 0))
  return Math.min(365 * secondsPerDay, ...lengths, (schema.ttl ?? Infinity) / 1000)
}

/** A span after which something is so: `1 day`. */
function after(seconds: number): string {
  const { count, unit } = span(seconds)
  return `${figure(count)} ${unit}${count === 1 ? '' : 's'}`
}

function span(seconds: number): { readonly count: number; readonly unit: string } {
  const units = [
    ['day', secondsPerDay],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['second', 1]
  return { count: Math.max(1, Math.floor(seconds / length)), unit }
}
