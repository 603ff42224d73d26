// Tested by rules.test.ts.
import type { SchemaJSON } from '@rowkey/model'
import { validChange } from '../apply-fix.js'
import type { Column, SchemaChange } from '../finding.js'
import { fewValues, isScattered, keyColumns } from './columns.js'
import { binds } from './queries.js'
import { partitionLimits, placementOf } from './store-profile.js'
import { writesPerSecond, type Subject } from './subject.js'

const defaultCount = 16

/**
 * A salt for a table that has none, or another one: of columns that every query binds to a value, so that it costs them nothing, otherwise of
 * columns that differ from row to row. undefined if the key has no column that can be one.
 */
export function spreadingSalt(subject: Subject): SchemaChange | undefined {
  const of = saltColumns(subject).map(({ name }) => name)
  if (of.length === 0) return undefined
  const count = bucketCount(subject)
  const salt: SchemaJSON['salt'] = [{ kind: subject.store?.name === 'kudu' ? 'hashPartition' : 'hash', of, count, seed: 0 }]
  return validChange(subject.schema, { salt })
}

function saltColumns(subject: Subject): readonly Column[] {
  const usable = keyColumns(subject).filter((column) => !column.type.nullable && !isSlow(subject, column))
  const scattered = usable.filter((column) => isScattered(subject, column))
  const bound = scattered.filter(({ name }) => subject.queries.length > 0 && subject.queries.every((query) => binds(query, name)))
  if (bound.length > 0) return bound
  return scattered.length > 0 ? scattered : usable
}

/** At least 16, one for each server, and as many as the writes need; a power of two. */
function bucketCount(subject: Subject): number {
  const limit = partitionLimits[subject.store?.name ?? 'memory']?.writesPerSecond
  const needed = Math.max(subject.store?.servers ?? 0, limit === undefined ? 0 : (2 * writesPerSecond(subject)) / limit)
  let count = defaultCount
  while (count < needed && count < 256) count *= 2
  return count
}

/** A salt as a person would declare it. */
export const saltText = ({ salt: [level] = [] }: SchemaChange): string =>
  level === undefined
    ? 'no salt'
    : `salt: ${level.kind === 'hashPartition' ? 'hashPartition' : 'bucket'}({ of: ${JSON.stringify(
        level.of.length === 1 ? level.of[0] : level.of,
      )
        .replaceAll('"', "'")
        .replaceAll(',', ', ')}, count: ${level.count} })`

/** Whether the buckets of a salt differ from row to row, so that they spread rows whatever follows. */
export function isSalted(subject: Subject): boolean {
  const inputs = new Set(subject.schema.salt.flatMap(({ of }) => of))
  return keyColumns(subject).some((column) => inputs.has(column.name) && !isSlow(subject, column))
}

/** Whether a column has the same value, or one of few, in all rows of a moment. */
export const isSlow = (subject: Subject, column: Column): boolean => column.type.kind === 'date' || fewValues(subject, column) !== undefined

/** The columns by whose order a store decides where new rows go: none if a salt or a hash comes before them. */
export function leadingColumns(subject: Subject): readonly Column[] {
  const { store } = subject
  if (isSalted(subject) || placementOf(store) === 'one place') return []
  // A store that hashes the partition has no order of partitions.
  return placementOf(store) === 'hash' ? [] : keyColumns(subject)
}

type SaltLevel = SchemaJSON['salt'][number]

/** A salt of other columns, by hash: a modulo takes one column, and only one of numbers. */
export const hashOfColumns = (level: SaltLevel, of: readonly string[]): SaltLevel =>
  level.kind !== 'modulo'
    ? { ...level, of }
    : {
        kind: 'hash',
        of,
        count: level.count,
        seed: 0,
        ...(level.separator === undefined ? {} : { separator: level.separator }),
      }
