import type { Row } from '@rowkey/codec'
import { mapperError } from '../call/errors.js'
import {
  conditionsIn,
  getterOf,
  type ClassValidationError,
  type ClassValidatorCheck,
  type Condition,
  type RegisteredChecks,
} from './class-validator.js'
import { handled } from './issues.js'
import { PartOfRow, type Watched } from './part-of-row.js'
import type { RowMapper } from './row-mapper.js'

/**
 * The checks of class-validator on a patch. `update()` knows the key and what it sets; the other columns of the row are unknown. So the
 * checks of the columns that it sets run, on an instance that notices when something unknown is read. A check that depends on an unknown
 * column is refused: its condition would be false, and it would be skipped silently.
 */
export class PatchChecks {
  private readonly table: string
  private readonly registered: RegisteredChecks
  private readonly rows: RowMapper
  /** The module exports the names of its own checks, which look only at the value. */
  private readonly own: ReadonlySet<unknown>

  constructor(table: string, registered: RegisteredChecks, rows: RowMapper) {
    this.table = table
    this.registered = registered
    this.rows = rows
    this.own = new Set(Object.values(registered.library))
  }

  /** @throws RowkeyError `CHECK_NEEDS_ROW` */
  async errorsOf(row: Row, set: readonly number[]): Promise<readonly ClassValidationError[]> {
    const running: Promise<readonly ClassValidationError[]>[] = []
    for (const [property, checks] of this.registered.byProperty) {
      const part = new PartOfRow(this.registered, this.rows, row, set)
      if (part.sets(property) || this.isAffected(part, property, checks)) running.push(handled(this.run(part, property, checks)))
    }
    return (await Promise.all(running)).flat()
  }

  /**
   * Whether the checks of a property that is not set apply, and did not before, because of what is set. That is known of its conditions, of
   * an accessor, and of a column that is named in the constraints of a check, as in `@IsAfter('start')`.
   *
   * @throws RowkeyError `CHECK_NEEDS_ROW` if it is not known whether they pass
   */
  private isAffected(part: PartOfRow, property: string, checks: readonly ClassValidatorCheck[]): boolean {
    const value = part.watch(() => part.instance[property])
    const conditions = conditionsIn(checks)
    const onlyIf = checks.flatMap(({ validateIf }) => (validateIf === undefined ? [] : [validateIf]))
    const isKnown = value.missing.length === 0
    const ask = (condition: Condition): Watched =>
      part.watch(() => condition(part.instance as never, value.result as never), isKnown || condition.length === 1 ? [] : [property])
    const answers = conditions.map(ask)
    const watched = [value, ...answers, ...onlyIf.map(ask)]
    const getter = getterOf(this.registered.model.prototype as object, property)
    const texts = [...conditions, ...onlyIf, ...(getter === undefined ? [] : [getter])].map(String)
    const depends =
      watched.some(({ hasReadSet }) => hasReadSet) ||
      texts.some((text) => namesIn(text).some((name) => part.sets(name))) ||
      checks.some(
        ({ name, constraints }) => !this.own.has(name) && constraints?.some((named) => typeof named === 'string' && part.sets(named)),
      )
    if (!depends || answers.some(({ missing, result }) => missing.length === 0 && !result)) return false
    this.refuseMissing(
      property,
      watched.flatMap(({ missing }) => missing),
    )
    return true
  }

  private async run(part: PartOfRow, property: string, checks: readonly ClassValidatorCheck[]): Promise<readonly ClassValidationError[]> {
    try {
      return await this.validateOnly(part.instance, checks)
    } finally {
      this.refuseMissing(property, part.missing)
    }
  }

  /** The library asks its storage for the checks of an object before anything else, and once: this answers in its place. */
  private validateOnly(instance: object, checks: readonly ClassValidatorCheck[]): Promise<readonly ClassValidationError[]> {
    const { library } = this.registered
    const storage = library.getMetadataStorage()
    const restore = (): boolean => Reflect.deleteProperty(storage, 'getTargetValidationMetadatas')
    Object.defineProperty(storage, 'getTargetValidationMetadatas', { configurable: true, value: () => (restore(), checks) })
    try {
      return library.validate(instance)
    } finally {
      restore()
    }
  }

  private refuseMissing(property: string, missing: readonly string[]): void {
    if (missing.length === 0) return
    const needs = [...new Set(missing)]
    const names = needs.map((name) => `'${name}'`).join(', ')
    const message =
      `update() of '${this.table}' cannot run the checks of '${property}', because they depend on ${names}, which the patch does not set. ` +
      'Set it too, or use modify(), which checks the whole row.'
    throw mapperError('CHECK_NEEDS_ROW', message, { table: this.table, column: property, needs })
  }
}

/** Names of properties that a text of code reads: after a dot or in quotes. What it destructures has been read when it was called. */
function namesIn(code: string): string[] {
  return Array.from(
    code.matchAll(/\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)|(['"`])(.*?)\2/gu),
    ([, name, , quoted = '']) => name ?? quoted,
  )
}
