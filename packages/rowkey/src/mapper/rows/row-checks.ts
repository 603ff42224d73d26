import type { Row } from '#codec'
import type { SchemaChecks, TableSchema } from '#model'
import { showText, typeFacts } from '#codec/internal'
import { atIndex } from '#store/engine'
import { isPromise, type MaybePromise } from '#store/adapter'
import { mapperError } from '../call/errors.js'
import { ClassChecks } from './class-checks.js'
import { registeredChecks, type Validation } from './class-validator.js'
import { isTooDeep, maxCheckedLevels } from './deep-json.js'
import { eachOf } from './each-of.js'
import { handled, issuesOf, pathText, type Issue } from './issues.js'
import { RowMapper } from './row-mapper.js'

/** How many issues an error lists. A list in a row from outside may have one for each of its items. */
const maxIssues = 100

interface ColumnChecks {
  readonly position: number
  readonly name: string
  readonly checks: SchemaChecks['columns'][number]['checks']
}

/**
 * The checks of a model; undefined if there are none. Those of class-validator are looked up here, so its decorators must have run.
 *
 * @param rows of the repository, which are plain objects if it was made with the schema of a class
 * @throws RowkeyError `INVALID_OPTION`, `INVALID_SCHEMA` if the mapper cannot run all checks of class-validator
 */
export function rowChecksOf(schema: TableSchema, rows: RowMapper, validation: Validation): RowChecks | undefined {
  const registered = registeredChecks(schema, validation)
  if (schema.checks === undefined && registered === undefined) return undefined
  const instances = rows.model === schema.class ? rows : new RowMapper(schema, schema.class)
  return new RowChecks(schema, instances, registered === undefined ? undefined : new ClassChecks(schema, registered, instances))
}

/**
 * The checks of a table, run on what is about to be written. They see a row as a read will return it: complete and with defaults, but
 * without its version. Synchronous checks cost no promise.
 */
export class RowChecks {
  private readonly table: string
  private readonly rows: RowMapper
  private readonly whole: SchemaChecks['row']
  private readonly columns: readonly ColumnChecks[]
  private readonly classChecks: ClassChecks | undefined
  /** JSON columns that checks may see. */
  private readonly json: readonly { readonly name: string; readonly position: number }[]

  constructor({ name, columns, checks }: TableSchema, rows: RowMapper, classChecks: ClassChecks | undefined) {
    this.table = name
    this.rows = rows
    this.whole = checks?.row ?? []
    this.columns = (checks?.columns ?? []).map((each) => ({
      ...each,
      position: columns.findIndex(({ name: column }) => column === each.name),
    }))
    this.classChecks = classChecks
    const seeAll = this.whole.length > 0 || classChecks !== undefined
    const isSeen = (at: number): boolean => seeAll || this.columns.some(({ position }) => position === at)
    this.json = columns
      .map(({ name, type }, position) => ({ name, position, isJson: typeFacts(type).storage.class === 'json' }))
      .filter(({ position, isJson }) => isJson && isSeen(position))
  }

  /** A whole row. @throws RowkeyError `VALIDATION_FAILED` with all issues */
  row(row: Row): Promise<void> | undefined {
    this.refuseDeep(row, this.json)
    const found = this.ofColumns(row)
    if (this.whole.length > 0) {
      const object = this.rows.toChecked(row)
      for (const check of this.whole) found.push(issuesOf(check, object, [], this.table))
    }
    if (this.classChecks !== undefined) found.push(this.classChecks.ofRow(this.rows.toChecked(row)))
    return this.settle(found)
  }

  /** Many rows; an error names the index of its row. Undefined if no check is asynchronous. */
  all(rows: readonly Row[]): Promise<void> | undefined {
    const waiting: Promise<void>[] = []
    eachOf('putMany()', rows, (row, index) => {
      const checking = this.row(row)
      if (checking !== undefined) waiting.push(handled(checking.catch((error: unknown) => Promise.reject(atIndex(index, error) as Error))))
    })
    return waiting.length === 0 ? undefined : handled(Promise.all(waiting).then(() => undefined))
  }

  /** What may read columns that a patch does not set: a property with such a check, or 'the row'; undefined if there is nothing. */
  get dependent(): string | undefined {
    return this.whole.length > 0 ? 'the row' : this.classChecks?.dependent
  }

  /** The columns of a patch, if nothing is {@link dependent}. @throws RowkeyError `VALIDATION_FAILED` */
  patch(row: Row, set: readonly number[]): Promise<void> | undefined {
    const given = this.json.filter(({ position }) => set.includes(position))
    this.refuseDeep(row, given)
    const found = this.ofColumns(row, set)
    if (this.classChecks !== undefined) found.push(this.classChecks.ofPatch(row, set))
    return this.settle(found)
  }

  /** Before any check sees the data. @throws RowkeyError `VALIDATION_FAILED` */
  private refuseDeep(row: Row, columns: RowChecks['json']): void {
    const deep = columns.filter(({ position }) => typeof row[position] === 'string' && isTooDeep(row[position]))
    this.refuse(
      deep.map(({ name }) => ({ path: [name], message: `is more than ${maxCheckedLevels} levels deep, which checks do not follow` })),
    )
  }

  private ofColumns(row: Row, set?: readonly number[]): MaybePromise<readonly Issue[]>[] {
    const found: MaybePromise<readonly Issue[]>[] = []
    for (const { position, name, checks } of this.columns) {
      if ((row[position] ?? null) === null || (set !== undefined && !set.includes(position))) continue
      const value = this.rows.valueAt(row, position)
      for (const check of checks) found.push(issuesOf(check, value, [name], this.table))
    }
    return found
  }

  private settle(found: readonly MaybePromise<readonly Issue[]>[]): Promise<void> | undefined {
    if (found.some(isPromise)) {
      return handled(Promise.all(found.map(async (issues) => issues)).then((all) => this.refuse(all.flat())))
    }
    this.refuse((found as readonly (readonly Issue[])[]).flat())
    return undefined
  }

  private refuse(issues: readonly Issue[]): void {
    if (issues.length === 0) return
    const listed = issues.length > maxIssues ? issues.slice(0, maxIssues) : issues
    const lines = listed.map(({ path, message }) => `- ${path.length === 0 ? 'the row' : pathText(path)}: ${showText(message)}`)
    const more = issues.length > maxIssues ? [`- and ${issues.length - maxIssues} more`] : []
    throw mapperError('VALIDATION_FAILED', [`a row of '${this.table}' failed its checks and was not written. Fix:`, ...lines, ...more], {
      table: this.table,
      issues: listed,
    })
  }
}
