// Tested by rules.test.ts.
import { type SchemaColumn, showNames } from 'rowkey/internal'
import { validChange } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { shareOfFirst } from './skew.js'
import { countedTogether, isDay, statsOf } from './columns.js'
import type { Combinations } from '../data/drawn-rows.js'
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

/**
 * Whether the value of a column changes with time, so that a partition stops growing: by its type, or by its name if neither a number that was given nor
 * rows say otherwise.
 */
export function isWindow(subject: Subject, column: SchemaColumn): boolean {
  if (isDay(column)) return true
  if (!windowName.test(snake(column.name)) || subject.writes?.distinct?.[column.name] !== undefined) return false
  const stats = subject.stats?.order === 'other' ? undefined : statsOf(subject, column)
  return stats === undefined || stats.distinct === 1 || stats.rising >= 0.9
}

/** Its unit, as its name or its type says it: `one day`. */
function unitOf(column: SchemaColumn): string {
  const [, , unit = 'day'] = windowName.exec(snake(column.name)) ?? []
  return `one ${everyOf(column) ?? (unit === 'date' ? 'day' : unit)}`
}

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
  const grouping = columns.filter((column) => !isWindow(subject, column))
  const [window] = columns
  if (grouping.length === 0 && window !== undefined) return { share: 1, because: `of ${unitOf(window)} at a time` }
  const counted = grouping.length === 0 ? undefined : countedTogether(subject, grouping)
  if (stats !== undefined && counted !== undefined && counted.top >= enoughOfOne) {
    const share = counted.top > topByChance(counted) ? counted.top / counted.rows : 1 / counted.distinct
    return { share, because: `in ${figure(stats.rows)} sampled rows` }
  }
  const distinct = grouping.map(({ name }) => writes?.distinct?.[name])
  if (distinct.some((count) => count === undefined)) return undefined
  const count = distinct.reduce<number>((product, each) => product * (each ?? 1), 1)
  const skew = writes?.skew ?? 1
  const share = shareOfFirst(count, skew)
  // A sample that would have shown so large a share says that there is none.
  if (counted !== undefined && share * counted.rows >= 2 * enoughOfOne) return undefined
  return { share, because: `among ${figure(count)}, with ${skew === 1 ? 'the usual skew' : `skew ${skew}`}` }
}

/** Rows of one value from which on a sample says how frequent it is. */
const enoughOfOne = 10

/** Rows that the most frequent of so many values has if all are equally frequent, roughly at most. */
function topByChance({ rows, distinct }: Combinations): number {
  const mean = rows / distinct
  return distinct === 1 ? 0 : mean + Math.sqrt(2 * mean * Math.log(distinct)) + Math.log(distinct)
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
