import type { Row } from '@rowkey/codec'
import type { Problem, TableSchema } from '@rowkey/model'
import { RowkeyError } from '@rowkey/codec'
import { getterOf, type ClassValidationError, type RegisteredChecks } from './class-validator.js'
import { handled, type Issue } from './issues.js'
import { PatchChecks } from './patch-checks.js'
import type { RowMapper } from './row-mapper.js'

/**
 * The checks of class-validator on the class of a table. Always asynchronous: whether a check returns a promise is known only after it was
 * called, and `validateSync` takes a promise for success.
 */
export class ClassChecks {
  private readonly registered: RegisteredChecks
  private readonly patches: PatchChecks

  /** @param rows makes instances of the class. @throws RowkeyError `INVALID_SCHEMA` if a check cannot be obeyed */
  constructor(schema: TableSchema, registered: RegisteredChecks, rows: RowMapper) {
    refuseOthers(schema, registered)
    this.registered = registered
    this.patches = new PatchChecks(schema.name, registered, rows)
  }

  /** Of a whole row, which is an instance of the class that nobody else has. */
  ofRow(instance: Record<string, unknown>): Promise<readonly Issue[]> {
    const { library, nested } = this.registered
    for (const field of nested.fieldNames) instance[field] = nested.revived(field, instance[field])
    return handled(library.validate(instance).then((errors) => issuesIn(errors)))
  }

  /** Of the columns `set` of a row whose other value columns are unknown. @throws RowkeyError `CHECK_NEEDS_ROW` */
  ofPatch(row: Row, set: readonly number[]): Promise<readonly Issue[]> {
    return handled(this.patches.errorsOf(row, set).then((errors) => issuesIn(errors)))
  }
}

/** A row has its columns and what accessors make of them. Any other field has no value that could be checked on every write. */
function refuseOthers({ name, columns }: TableSchema, { model, byProperty, nested }: RegisteredChecks): void {
  const problems: Problem[] = []
  const refuse = (property: string, message: string): void => {
    problems.push({ code: 'INVALID_CHECK', column: property, message: `'${property}' has ${message}` })
  }
  for (const property of byProperty.keys()) {
    const column = columns.find((each) => each.name === property)
    if (column?.role === 'version') {
      refuse(property, 'checks of class-validator, but it is the version, which every write sets by itself. Remove the checks.')
    } else if (column === undefined && getterOf(model.prototype as object, property) === undefined) {
      const reason = 'it is not stored, so rows that are read and modified have no value to check'
      refuse(
        property,
        `checks of class-validator, but is not a column: ${reason}. Make it a column, or declare it in a subclass for requests and leave it out of rows.`,
      )
    }
  }
  for (const property of nested.unknown) {
    const reason = 'the class of its data is unknown, or has no checks: rows have plain objects'
    const remedy =
      'Declare the field as that class and compile with emitDecoratorMetadata, or use a Standard Schema, as in @Check(z.object({ … }))'
    refuse(property, `@ValidateNested(), but ${reason}. ${remedy}.`)
  }
  if (problems.length === 0) return
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  const lines = problems.map(({ code, message }) => `\n- ${code}: ${message}`)
  throw new RowkeyError('INVALID_SCHEMA', `table '${name}' has ${count}:${lines.join('')}`, { table: name, problems })
}

function issuesIn(errors: readonly ClassValidationError[], above: readonly string[] = []): readonly Issue[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = [...above, property]
    const own = Object.values(constraints).map((message) => ({ path, message }))
    const issues = [...own, ...issuesIn(children, path)]
    return issues.length > 0 ? issues : [{ path, message: 'is refused without a reason' }] // an error is never success
  })
}
