import { show, showName } from '#codec/internal'
import type { Problems } from '../problems.js'
import { isStandardSchema, type StandardSchema } from './standard-schema.js'

/** What rows must pass before they are written. Not part of the JSON of a schema. */
export interface SchemaChecks {
  /** For whole rows. */
  readonly row: readonly StandardSchema[]
  /** For columns; nulls are not checked. */
  readonly columns: readonly { readonly name: string; readonly checks: readonly StandardSchema[] }[]
  /** Whether the class has decorators of class-validator, which that library has to check. */
  readonly classValidator: boolean
}

/** Checks as they were passed, not yet validated. */
export interface GivenChecks {
  readonly row: unknown
  readonly columns: readonly (readonly [name: string, checks: unknown])[]
  readonly classValidator: boolean
}

/** The checks of a table, undefined if there are none. What is not a check is added to `problems`. */
export function compileChecks(
  { row, columns, classValidator }: GivenChecks,
  isColumn: (name: string) => boolean,
  problems: Problems,
): SchemaChecks | undefined {
  const rows = schemasOf(row, undefined, problems)
  const byColumn = columns.map(([name, given]) => {
    if (!isColumn(name)) {
      problems.add({
        code: 'INVALID_CHECK',
        column: name,
        message: `'${showName(name)}' has checks, but is not a column that rows are written with. Remove the checks, or declare the column.`,
      })
    }
    return Object.freeze({ name, checks: schemasOf(given, name, problems) })
  })
  const some = byColumn.filter(({ checks }) => checks.length > 0)
  if (rows.length === 0 && some.length === 0 && !classValidator) return undefined
  return Object.freeze({ row: rows, columns: Object.freeze(some), classValidator })
}

function schemasOf(given: unknown, column: string | undefined, problems: Problems): readonly StandardSchema[] {
  const list: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? given : [given]
  for (const check of list) {
    if (isStandardSchema(check)) continue
    const what = column === undefined ? 'a check of the table' : `a check of column '${showName(column)}'`
    const message = `${what} is ${show(check)}. Give a Standard Schema, such as one of zod, valibot or arktype. Put decorators of class-validator into @Check.`
    problems.add({ code: 'INVALID_CHECK', column, message })
  }
  return Object.freeze(list.filter(isStandardSchema))
}
