import type { Row } from '@rowkey/codec'
import type { ModelClass, SchemaChecks, TableSchema } from '@rowkey/model'
import { atIndex } from '@rowkey/store/engine'
import { isPromise, type MaybePromise } from '@rowkey/store/adapter'
import { RowkeyError } from '@rowkey/codec'
import { mapperError } from '../call/errors.js'
import { ClassChecks, type ClassValidator } from './class-validator.js'
import { eachOf } from './each-of.js'
import { handled, issuesOf, type Issue } from './issues.js'
import type { RowMapper } from './row-mapper.js'

interface ColumnChecks {
  readonly position: number
  readonly name: string
  readonly checks: SchemaChecks['columns'][number]['checks']
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

  /**
   * @throws RowkeyError `INVALID_OPTION` if the class has decorators of class-validator, and the mapper was created without that library
   */
  constructor(
    { name, columns }: TableSchema,
    { row, columns: byColumn, classValidator: needed }: SchemaChecks,
    rows: RowMapper,
    model: ModelClass | undefined,
    library: ClassValidator | undefined,
  ) {
    this.table = name
    this.rows = rows
    this.whole = row
    this.columns = byColumn.map((each) => ({ ...each, position: columns.findIndex((column) => column.name === each.name) }))
    if (needed && library === undefined) {
      const message = `the model of '${name}' has checks of class-validator, but the mapper was created without it. Pass the module to createMapper() as { classValidator }.`
      throw new RowkeyError('INVALID_OPTION', message, { option: 'classValidator', value: 'undefined' })
    }
    this.classChecks = needed && library !== undefined && model !== undefined ? new ClassChecks(library, model) : undefined
  }

  /** A whole row. @throws RowkeyError `VALIDATION_FAILED` with all issues */
  row(row: Row): Promise<void> | undefined {
    const found = this.ofColumns(row)
    if (this.whole.length > 0 || this.classChecks !== undefined) {
      const object = this.rows.toChecked(row)
      for (const check of this.whole) found.push(issuesOf(check, object, [], this.table))
      if (this.classChecks !== undefined) found.push(this.classChecks.issuesOf(object, false))
    }
    return this.settle(found)
  }

  /** Many rows; an error names the index of its row. */
  async all(rows: readonly Row[]): Promise<void> {
    const waiting: Promise<void>[] = []
    eachOf('putMany()', rows, (row, index) => {
      const checking = this.row(row)
      if (checking !== undefined) waiting.push(handled(checking.catch((error: unknown) => Promise.reject(atIndex(index, error) as Error))))
    })
    await Promise.all(waiting)
  }

  /** The columns of a patch; checks of whole rows cannot see the row. */
  patch(row: Row, set: readonly number[]): Promise<void> | undefined {
    const found = this.ofColumns(row, set)
    if (this.classChecks !== undefined) found.push(this.classChecks.issuesOf(this.rows.toCheckedPatch(row, set), true))
    return this.settle(found)
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
    const lines = issues.map(({ path, message }) => `\n- ${path.length === 0 ? 'the row' : path.map(String).join('.')}: ${message}`)
    throw mapperError('VALIDATION_FAILED', `a row of '${this.table}' failed its checks and was not written. Fix:${lines.join('')}`, {
      table: this.table,
      issues,
    })
  }
}
