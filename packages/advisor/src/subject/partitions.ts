// Tested by rules.test.ts.
import { type SchemaColumn, showNames } from 'rowkey/internal'
import { validChange } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { shareOfFirst } from './skew.js'
import { isDay, statsOf } from './columns.js'
import { everyOf, periodSeconds } from './period-columns.js'
import { isSlow } from './spread.js'
import { figure, type Subject } from './subject.js'
import { snake } from './time.js'

// Where a store hashes partitions, a partition is on one server, and what its columns have in common goes there together.

/** The columns of the partition, without the salt. */
export const partitionColumns = ({ schema }: Subject): readonly SchemaColumn[] => schema.columns.slice(0, schema.partitionLength)

/** Whether each row is a partition of its own. */
export const isById = ({ schema }: Subject): boolean => schema.partitionLength === schema.keyLength

const windowName = /(^|_)(minute|hour|day|date|week|month|quarter|year|period|window|bucket)$/

/** Partition columns whose value changes with time, so that a partition stops growing. */
export const isWindow = (column: SchemaColumn): boolean => isDay(column) || windowName.test(snake(column.name))

/** How long its value stays: as long as its period, otherwise by its name, a day if that does not say it, and at most a week. */
export function windowSeconds(column: SchemaColumn): number {
  const every = everyOf(column)
  if (every !== undefined) return periodSeconds[every]
  const { name } = column
  const [, , unit = 'day'] = windowName.exec(snake(name)) ?? []
  if (unit === 'minute') return 60
  if (unit === 'hour') return 3600
  return /week|month|quarter|year|period/.test(unit) ? 7 * 86_400 : 86_400
}

/** What the largest group of rows has, and what that rests on. */
export interface LargestShare {
  readonly share: number
  readonly because: string
}

/** The share of the largest partition; undefined if nothing says how large it is, or there are no partitions. */
export const largestPartition = (subject: Subject): LargestShare | undefined =>
  subject.schema.partitionLength === 0 ? undefined : largestShare(subject, partitionColumns(subject))

/**
 * The share of all rows, or of the writes and reads of a moment, that the most frequent values of some key columns have together. What is written in a
 * moment has the same window of time, and most of what is read, so windows have no part in it. undefined if nothing says how large it is.
 */
export function largestShare(subject: Subject, columns: readonly SchemaColumn[]): LargestShare | undefined {
  const { stats, writes } = subject
  const grouping = columns.filter((column) => !isWindow(column))
  // Several columns together are at most as frequent as the most frequent value of each.
  const sampled = grouping.map((column) => statsOf(subject, column)?.top)
  if (stats !== undefined && sampled.length > 0 && sampled.every((top) => top !== undefined)) {
    const share = Math.min(...sampled)
    // If each row has a value of its own, the sample is too small to say how frequent one is.
    if (share * stats.rows > 1.5) return { share, because: `in ${figure(stats.rows)} sampled rows` }
  }
  const distinct = grouping.map(({ name }) => writes?.distinct?.[name])
  if (distinct.some((count) => count === undefined)) return undefined
  const count = distinct.reduce<number>((product, each) => product * (each ?? 1), 1)
  const skew = writes?.skew ?? 1
  return { share: shareOfFirst(count, skew), because: `among ${figure(count)}, with ${skew === 1 ? 'the usual skew' : `skew ${skew}`}` }
}

/** How many buckets the rows of one partition are in, or those with equal values of some key columns: a salt of these has one value for all of them. */
export function bucketsWithin(subject: Subject, columns: readonly SchemaColumn[] = partitionColumns(subject)): number {
  const own = new Set(columns.map(({ name }) => name))
  return subject.schema.salt.reduce((product, { of, count }) => (of.every((name) => own.has(name)) ? product : product * count), 1)
}

/** The names of the partition columns, quoted. */
export const partitionNames = (subject: Subject): string =>
  showNames(
    partitionColumns(subject).map(({ name }) => name),
    "'",
  )

/** The partition column, if there is only one. */
export const onlyPartitionColumn = (subject: Subject): { readonly column?: string } => {
  const [only, ...others] = partitionColumns(subject)
  return only === undefined || others.length > 0 ? {} : { column: only.name }
}

/** A salt of the columns after the partition, which spreads each partition over buckets; more buckets if there is such a salt. */
export function inBuckets(subject: Subject, atLeast: number): SchemaChange | undefined {
  const { schema } = subject
  const [level, ...others] = schema.salt
  const inner = schema.columns
    .slice(schema.partitionLength, schema.keyLength)
    .filter((column) => !column.type.nullable && !isSlow(subject, column))
  if (others.length > 0 || (level === undefined && inner.length === 0) || (level !== undefined && bucketsWithin(subject) === 1))
    return undefined
  let count = level?.count ?? 2
  while (count < 2 * atLeast * (level?.count ?? 1) && count < 256) count *= 2
  if (count > 256 || count === level?.count) return undefined
  return validChange(schema, {
    salt: [level === undefined ? { kind: 'hash', of: inner.map(({ name }) => name), count, seed: 0 } : { ...level, count }],
  })
}

/** What {@link inBuckets} does, in words. */
export const inBucketsText = ({ salt: [level] = [] }: SchemaChange): string =>
  level === undefined
    ? ''
    : `Spread each partition over buckets: a salt of ${showNames(level.of, "'")}, count ${level.count}. Scans of a partition then read all of them.`
