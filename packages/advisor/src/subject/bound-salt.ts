// Tested by true-advice.test.ts and query-fixes.test.ts.
import { saltCode, showNames } from 'rowkey/internal'
import { changedSchema } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { fewTogether, isDay, isScattered, keyColumns } from './columns.js'
import { binds, type AskedQuery } from './queries.js'
import { bucketCount, hashOfColumns, isEven } from './spread.js'
import type { Subject } from './subject.js'

/** Another salt, as a change of the schema and as a fix in words. */
export interface OtherSalt {
  readonly change: SchemaChange
  readonly fix: string
}

/** The salt of columns that all queries bind, so that each reads one bucket; undefined if these do not spread rows, or no others are needed. */
export function boundSalt(subject: Subject): OtherSalt | undefined {
  const { queries, schema } = subject
  const [level, ...others] = schema.salt
  if (level === undefined || others.length > 0 || queries.length === 0) return undefined
  // The rows of a partition would all be in one of its buckets.
  const bound = keyColumns(subject)
    .slice(schema.partitionLength)
    .filter((column) => !column.type.nullable && !isDay(column) && queries.every((query) => binds(query, column.name)))
  const scattered = bound.filter((column) => isScattered(subject, column))
  // Several columns with few values each may have many together.
  const of = scattered.length > 0 ? scattered : bound.length > 1 && fewTogether(subject, bound) === undefined ? bound : []
  if (of.length === 0) return undefined
  const names = of.map(({ name }) => name)
  const change: SchemaChange = { salt: [hashOfColumns(level, names)] }
  const changed = changedSchema(schema, change)
  if (changed === undefined || !isEven(subject, changed)) return undefined
  return {
    change,
    fix: `Every query has ${names.length === 1 ? 'a value' : 'values'} for ${showNames(names, "'")}: compute the salt from ${names.length === 1 ? 'it' : 'them'} alone, ${changed.salt.map(saltCode).join()}.`,
  }
}

/** What lets a query be planned that would read too many buckets: the salt that queries bind, or else as many buckets as a scan may read. */
export function smallerFanOut(subject: Subject, { shape }: AskedQuery): OtherSalt | undefined {
  const bound = boundSalt(subject)
  if (bound !== undefined) return bound
  const [level, ...others] = subject.schema.salt
  if (level === undefined || others.length > 0) return undefined
  const change: SchemaChange = { salt: [{ ...hashOfColumns(level, level.of), count: bucketCount(subject) }] }
  const changed = changedSchema(subject.schema, change)
  if (changed === undefined) return undefined
  const unbound = level.of.filter((name) => shape.where[name] !== '=')
  return {
    change,
    fix: `The query has no value for ${showNames(unbound, "'")}, so it reads all buckets: use ${changed.salt.map(saltCode).join()}.`,
  }
}
