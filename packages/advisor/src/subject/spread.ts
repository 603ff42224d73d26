// Tested by rules.test.ts.
import { saltCode, type SchemaColumn, type SchemaJSON } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { changedSchema } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { enoughRows, fewTogether, fewValues, isDay, isScattered, keyColumns } from './columns.js'
import { statsAfter } from '../data/drawn-rows.js'
import type { TableStats } from '../data/table-stats.js'
import { binds } from './queries.js'
import { factsOf, partitionLimits, placementOf } from './store-profile.js'
import { hashBuckets, isKudu, rangesOf } from './kudu.js'
import { writesPerSecond, type Subject } from './subject.js'

const defaultCount = 16

/** A salt as a change of the schema, and as a person would declare it. */
export interface Salting {
  readonly change: SchemaChange
  readonly text: string
}

/**
 * A salt for a table that has none, or another one: of columns that every query binds to a value, so that it costs them nothing, otherwise of
 * columns that differ from row to row. If there is a sample, the first of these whose fullest bucket has no more than its share. undefined if the key has
 * no column that can be one.
 */
export function spreadingSalt(subject: Subject): Salting | undefined {
  const count = bucketCount(subject)
  const kind = isKudu(subject) ? 'hashPartition' : 'hash'
  const all = saltColumns(subject).flatMap((columns): readonly Judged[] => {
    const change: SchemaChange = { salt: [{ kind, of: columns.map(({ name }) => name), count, seed: 0 }], ...splitsFor(subject, count) }
    const schema = columns.length === 0 ? undefined : changedSchema(subject.schema, change)
    return schema === undefined ? [] : [{ change, schema }]
  })
  const byShare = all.toSorted((a, b) => topShare(subject, a.schema) - topShare(subject, b.schema))
  const best = all.find(({ schema }) => isEven(subject, schema)) ?? byShare.find(({ schema }) => topShare(subject, schema) < mostOfOne)
  if (best === undefined) return undefined
  const { splits: hint } = factsOf(subject.store) ?? {}
  const splits = hint === undefined ? '' : `, and stores: { ${hint.store}: { ${hint.hint}: ${regions(count)} } }`
  return { change: best.change, text: `salt: ${best.schema.salt.map(saltCode).join(', ')}${splits}` }
}

interface Judged {
  readonly change: SchemaChange
  readonly schema: TableSchema
}

/** The part of all rows from which on a bucket is as bad as no salt. */
const mostOfOne = 0.2

/** The sampled rows under a changed schema, if there are enough. */
const sampleOf = ({ stats, schema }: Subject, changed: TableSchema): TableStats | undefined =>
  stats === undefined || stats.rows < enoughRows ? undefined : statsAfter(stats, schema, changed)

const topShare = (subject: Subject, changed: TableSchema): number => sampleOf(subject, changed)?.buckets.top ?? 0

/** Whether the sampled rows go to all buckets of a changed schema alike; without a sample nothing speaks against it. */
export function isEven(subject: Subject, changed: TableSchema): boolean {
  const after = sampleOf(subject, changed)
  if (after === undefined) return true
  const { of, top } = after.buckets
  const mean = after.rows / of
  // Twice the mean, and as much more as chance makes of few rows.
  return top * after.rows <= 2 * mean + 3 * Math.sqrt(mean) + 3
}

/** Where a table begins as one region, buckets only spread load if it begins with a region for each. */
export function splitsFor({ schema, store }: Subject, count: number): Pick<SchemaChange, 'stores'> {
  const { splits } = factsOf(store) ?? {}
  if (splits === undefined) return {}
  return { stores: { ...schema.stores, [splits.store]: { ...(schema.stores[splits.store] as object), [splits.hint]: regions(count) } } }
}

const regions = (buckets: number): number => Math.min(buckets, 16)

/** What a salt can be of, the best first. */
function saltColumns(subject: Subject): readonly (readonly SchemaColumn[])[] {
  const all = keyColumns(subject).filter((column) => !column.type.nullable)
  const usable = all.filter((column) => !isSlow(subject, column))
  const scattered = usable.filter((column) => isScattered(subject, column))
  // Several columns with few values each may have many together.
  const few = all.filter((column) => !isDay(column) && isSlow(subject, column))
  const together = usable.length === 0 && few.length > 1 && fewTogether(subject, few) === undefined ? few : []
  return [boundByAll(subject, scattered), scattered, usable, together].filter(({ length }) => length > 0)
}

/** Those of some columns that spread rows, and for which every query has a value; none without queries. */
export const boundByAll = (subject: Subject, columns: readonly SchemaColumn[]): readonly SchemaColumn[] =>
  subject.queries.length === 0
    ? []
    : columns.filter((column) => isScattered(subject, column) && subject.queries.every((query) => binds(query, column.name)))

/** At least 16, one for each server, and as many as the writes need; a power of two. */
export function bucketCount(subject: Subject): number {
  const limit = partitionLimits(subject.store).writesPerSecond
  const needed = Math.max(subject.store?.servers ?? 0, limit === undefined ? 0 : (2 * writesPerSecond(subject)) / limit)
  let count = defaultCount
  while (count < needed && count < 256) count *= 2
  return count
}

/** Whether the buckets of a salt differ from row to row, so that they spread rows whatever follows. */
export function isSalted(subject: Subject): boolean {
  const names = new Set(subject.schema.salt.flatMap(({ of }) => of))
  const inputs = keyColumns(subject).filter(({ name }) => names.has(name))
  if (inputs.some((column) => !isSlow(subject, column))) return true
  // Several columns with few values each may have many together.
  return inputs.length > 1 && !inputs.some(isDay) && fewTogether(subject, inputs) === undefined
}

/** Whether a column has the same value, or one of few, in all rows of a moment. */
export const isSlow = (subject: Subject, column: SchemaColumn): boolean => isDay(column) || fewValues(subject, column) !== undefined

/** The columns by whose order a store decides where new rows go: none if a salt or a hash comes before them. */
export function leadingColumns(subject: Subject): readonly SchemaColumn[] {
  const { store } = subject
  if (isSalted(subject) || placementOf(store) === 'one place') return []
  // Kudu places rows by hash levels and ranges, which have rules of their own.
  if (isKudu(subject) && (rangesOf(subject) !== undefined || (subject.schema.salt.length === 0 && hashBuckets(subject) > 1))) return []
  // A store that hashes the partition has no order of partitions.
  return placementOf(store) === 'hash' ? [] : keyColumns(subject)
}

export type SaltLevel = SchemaJSON['salt'][number]

/** Whether a salt is the remainder of a number: only that has neither a seed nor digits. */
export const isModulo = ({ seed, digits }: SaltLevel): boolean => seed === undefined && digits === undefined

/** A salt of other columns, by hash: a modulo takes one column, and only one of numbers. */
export const hashOfColumns = (level: SaltLevel, of: readonly string[]): SaltLevel =>
  isModulo(level) ? { ...level, kind: 'hash', of, seed: 0 } : { ...level, of }
