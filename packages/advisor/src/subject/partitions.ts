// Tested by rules.test.ts.
import { showNames } from '@rowkey/codec/internal'
import type { SchemaColumn } from '@rowkey/model'
import { validChange } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { shareOfFirst } from './skew.js'
import { isSlow } from './spread.js'
import { figure, type Subject } from './subject.js'

// Where a store hashes partitions, a partition is on one server, and what its columns have in common goes there together.

/** The columns of the partition, without the salt. */
export const partitionColumns = ({ schema }: Subject): readonly SchemaColumn[] => schema.columns.slice(0, schema.partitionLength)

/** The share of the rows or requests that the fullest partition takes, and what that rests on. */
export function largestPartition(subject: Subject): { readonly share: number; readonly because: string } | undefined {
  const partition = partitionColumns(subject)
  if (partition.length === 0) return undefined
  const { stats, writes } = subject
  const sampled = stats === undefined || stats.rows < 100 ? undefined : partition.map(({ name }) => stats.columns[name]?.top ?? 1)
  // A partition of several columns is at most as full as the fullest value of each.
  if (sampled !== undefined && stats !== undefined) return { share: Math.min(...sampled), because: `in ${figure(stats.rows)} sampled rows` }
  const distinct = partition.map(({ name }) => writes?.distinct?.[name])
  if (distinct.some((count) => count === undefined)) return undefined
  const count = distinct.reduce<number>((product, each) => product * (each ?? 1), 1)
  const skew = writes?.skew ?? 1
  return { share: shareOfFirst(count, skew), because: `of ${figure(count)} with ${skew === 1 ? 'the usual skew' : `skew ${skew}`}` }
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

/** A salt of the columns after the partition, which spreads each partition over buckets. */
export function inBuckets(subject: Subject, atLeast: number): SchemaChange | undefined {
  const { schema } = subject
  const inner = schema.columns
    .slice(schema.partitionLength, schema.keyLength)
    .filter((column) => !column.type.nullable && !isSlow(subject, column))
  if (inner.length === 0 || schema.salt.length > 0) return undefined
  let count = 2
  while (count < 2 * atLeast && count < 256) count *= 2
  return validChange(schema, { salt: [{ kind: 'hash', of: inner.map(({ name }) => name), count, seed: 0 }] })
}

/** What {@link inBuckets} does, in words. */
export const inBucketsText = ({ salt: [level] = [] }: SchemaChange): string =>
  level === undefined
    ? ''
    : `Spread each partition over buckets: a salt of ${showNames(level.of, "'")}, count ${level.count}. Scans of a partition then read all of them.`
