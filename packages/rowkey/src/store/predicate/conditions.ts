// Tested by packages/rowkey/test/mapper/writes-changes.test.ts and packages/rowkey/test/mapper/writes-versions.test.ts.
import { isEquals, type TableSchema, valueIn } from '#model'
import { isPlainObject, show } from '#codec/internal'
import type { Condition, Conditions } from '../contract/reading.js'
import { testOf } from './column-set.js'
import { refusal } from './column-rules.js'
import { parsePredicate } from './parse.js'

/** What a write requires of the existing row. */
export interface WriteConditions {
  /** The version that it must have. */
  readonly version?: string | undefined
  readonly conditions?: Conditions | undefined
}

/**
 * The conditions of a write on the existing row: like a predicate, but on value columns and the version only, and never without a column.
 *
 * @throws RowkeyError `INVALID_PREDICATE`
 */
export function compileConditions(schema: TableSchema, where: Readonly<Record<string, unknown>>): WriteConditions {
  const name = schema.columns[schema.versionIndex]?.name
  if (name === undefined || !isPlainObject(where) || !Object.hasOwn(where, name)) {
    return { conditions: onColumns(schema, where) }
  }
  const { [name]: given, ...others } = where
  const conditions = Object.keys(others).length === 0 ? [] : onColumns(schema, others)
  const version = versionOf(schema, name, given)
  // A row without a version was written before its table had them: stores compare that as they do the null of a column.
  if (version === null) return { conditions: [...conditions, { column: schema.versionIndex, isNull: true }] }
  return { version, conditions: conditions.length === 0 ? undefined : conditions }
}

function onColumns(schema: TableSchema, where: Readonly<Record<string, unknown>>): Condition[] {
  const { sets, bound } = parsePredicate(schema, where)
  const [first] = Object.keys(where)
  if (first === undefined) throw refusal(schema, '', 'the condition names no column. Name at least one, or leave the condition out.')
  for (const at of bound) {
    const name = schema.columns[at]?.name ?? ''
    if (at < schema.keyLength)
      throw refusal(schema, name, 'a key column is not a condition of a write: the key already names its value. Leave it out.')
  }
  return [...sets].map(([column, set]) => {
    if (set.kind !== 'none') return testOf(column, set)
    throw refusal(schema, schema.columns[column]?.name ?? '', 'no value meets the condition. Correct it.')
  })
}

/** A version says nothing but that it is another one, so it can only be equal. */
function versionOf(schema: TableSchema, name: string, given: unknown): string | null {
  const isWrapped = isEquals(given)
  const version = isWrapped ? valueIn(given) : given
  if (version === null && !isWrapped) return null
  if (typeof version === 'string' && version !== '') return version
  throw refusal(schema, name, `a version cannot be ${show(version)}. Give that of the row as it was read, or null if it had none.`)
}
