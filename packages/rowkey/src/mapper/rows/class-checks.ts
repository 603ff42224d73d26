// Tested by packages/rowkey/test/model/decorators/class-validator.test.ts.
import { type Row, RowkeyError } from '#codec'
import type { Problem, TableSchema } from '#model'
import { show, showName } from '#codec/internal'
import { isPromise } from '#store/adapter'
import { getterOf, type ClassValidationError, type ClassValidatorCheck, type RegisteredChecks } from './class-validator.js'
import { handled, type Issue } from './issues.js'
import type { RowMapper } from './row-mapper.js'
import { looksAtValueOnly } from './value-checks.js'

/**
 * The checks of class-validator on the class of a table. Always asynchronous: whether a check returns a promise is known only after it was
 * called, and `validateSync` takes a promise for success.
 */
export class ClassChecks {
  /** A property with a check that may read other columns than its own; undefined if each check looks only at its value. */
  readonly dependent: string | undefined
  private readonly registered: RegisteredChecks
  private readonly rows: RowMapper

  /** @param rows makes instances of the class. @throws RowkeyError `INVALID_SCHEMA` if a check cannot be obeyed */
  constructor(schema: TableSchema, registered: RegisteredChecks, rows: RowMapper) {
    refuseOthers(schema, registered)
    this.registered = registered
    this.rows = rows
    this.dependent = dependentProperty(registered, rows)
  }

  /** Of a whole row, which is an instance of the class that nobody else has. */
  ofRow(instance: Record<string, unknown>): Promise<readonly Issue[]> {
    const { nested } = this.registered
    const refused: Issue[] = []
    for (const field of nested.fieldNames) instance[field] = nested.revived(field, instance[field], refused)
    if (refused.length > 0) return Promise.resolve(refused)
    return handled(this.errorsOf(instance).then((errors) => issuesIn(errors)))
  }

  /** Of the columns `set` of a row whose other value columns are unknown, if no check is {@link dependent}. */
  ofPatch(row: Row, set: readonly number[]): Promise<readonly Issue[]> {
    const { model, nested } = this.registered
    const instance = new model() as Record<string, unknown>
    const unknown = new Set<string>()
    const refused: Issue[] = []
    for (const { name, position } of this.rows.written) {
      const isSet = set.includes(position)
      instance[name] = isSet ? nested.revived(name, this.rows.valueAt(row, position), refused) : undefined
      if (!isSet) unknown.add(name)
    }
    if (refused.length > 0) return Promise.resolve(refused)
    const known = (errors: readonly ClassValidationError[]): readonly Issue[] =>
      issuesIn(errors.filter(({ property }) => property === undefined || !unknown.has(property)))
    return handled(this.errorsOf(instance, hasNested(this.registered) ? {} : skipUnknown).then(known))
  }

  private async errorsOf(instance: object, options: Partial<typeof skipUnknown> = {}): Promise<readonly ClassValidationError[]> {
    const { library, groups } = this.registered
    const returned: unknown = library.validate(instance, groups === undefined ? options : { ...options, groups: [...groups] })
    const errors: unknown = isPromise(returned) ? await returned : undefined
    if (Array.isArray(errors) && errors.every((error) => typeof error === 'object' && error !== null))
      return errors as readonly ClassValidationError[]
    // A list that is not promised comes from validateSync, which skips asynchronous checks.
    const what = isPromise(returned) ? `a promise of ${show(errors)}` : show(returned)
    const message = `validate() of the class-validator of the mapper returned ${what}, not a promise of a list of errors. Pass the whole module: import * as classValidator from 'class-validator'.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'classValidator', value: show(errors ?? returned) })
  }
}

/**
 * Without it, the checks of columns that a patch does not set would fail, and messages that are functions would be called with undefined. It
 * would also skip what nested objects lack.
 */
const skipUnknown = { skipUndefinedProperties: true } as const

const hasNested = ({ nested }: RegisteredChecks): boolean => Array.from(nested.fieldNames).length > 0

/** A setter may set other properties, and a getter may read them. */
function dependentProperty(registered: RegisteredChecks, rows: RowMapper): string | undefined {
  const { model, byProperty } = registered
  const instance = new model()
  const accessor = rows.written.find(({ name }) => isAccessor(instance, name))
  if (accessor !== undefined) return accessor.name
  const canSkip = !hasNested(registered)
  const isFit = (check: ClassValidatorCheck): boolean => looksAtValueOnly(check) && (canSkip || typeof check.message !== 'function')
  return Array.from(byProperty).find(([property, checks]) => isAccessor(instance, property) || !checks.every(isFit))?.[0]
}

function isAccessor(object: object | null, property: string): boolean {
  if (object === null) return false
  const own = Object.getOwnPropertyDescriptor(object, property)
  return own === undefined ? isAccessor(Object.getPrototypeOf(object) as object | null, property) : !('value' in own)
}

/** A row has its columns and what accessors make of them. Any other field has no value that could be checked on every write. */
function refuseOthers({ name, columns }: TableSchema, { model, byProperty, nested }: RegisteredChecks): void {
  const problems: Problem[] = []
  const refuse = (property: string, message: string): void => {
    problems.push({ code: 'INVALID_CHECK', column: property, message: `'${showName(property)}' has ${message}` })
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
      'Declare the field as that class and compile with emitDecoratorMetadata, put @Type(() => Class) of class-transformer on it, without a ' +
      'discriminator, and pass that module to createMapper() as { classTransformer }, or use a Standard Schema, as in @Check(z.object({ … }))'
    refuse(property, `@ValidateNested(), but ${reason}. ${remedy}.`)
  }
  if (problems.length === 0) return
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  const lines = problems.map(({ code, message }) => `- ${code}: ${message}`)
  throw new RowkeyError('INVALID_SCHEMA', [`table '${name}' has ${count}:`, ...lines], { table: name, problems })
}

function issuesIn(errors: readonly ClassValidationError[], above: readonly string[] = []): readonly Issue[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = property === undefined ? above : [...above, property]
    const own = Object.values(constraints).map((message) => ({ path, message }))
    const issues = [...own, ...issuesIn(children, path)]
    return issues.length > 0 ? issues : [{ path, message: 'is refused without a reason' }] // an error is never success
  })
}
