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

/** What the checks of a property look at next to its value. */
interface Dependence {
  /** Whether its checks apply. All must be true. */
  readonly conditions: readonly Condition[]
  /** Whether one of its checks applies. */
  readonly validateIf: readonly Condition[]
  /** Names in the code of these, and of the getter if it is an accessor. */
  readonly namedInCode: readonly string[]
  /** Texts in the constraints of checks that the library does not have itself, as in `@IsAfter('start')`. */
  readonly namedInChecks: readonly string[]
}

/**
 * The checks of class-validator on a patch. `update()` knows the key and what it sets; the other columns of the row are unknown. So the
 * checks of the columns that it sets run, on an instance that notices when something unknown is read. A check that depends on an unknown
 * column is refused: its condition would be false, and it would be skipped silently.
 */
export class PatchChecks {
  private readonly table: string
  private readonly registered: RegisteredChecks
  private readonly rows: RowMapper
  private readonly dependent: ReadonlyMap<string, Dependence>

  constructor(table: string, registered: RegisteredChecks, rows: RowMapper) {
    this.table = table
    this.registered = registered
    this.rows = rows
    this.dependent = dependenceOf(registered)
  }

  /** @throws RowkeyError `CHECK_NEEDS_ROW` */
  async errorsOf(row: Row, set: readonly number[]): Promise<readonly ClassValidationError[]> {
    const running: Promise<readonly ClassValidationError[]>[] = []
    for (const [property, checks] of this.registered.byProperty) {
      const dependence = this.dependent.get(property)
      const isSet = this.rows.written.some(({ name, position }) => name === property && set.includes(position))
      if (!isSet && dependence === undefined) continue
      const part = new PartOfRow(this.registered, this.rows, row, set)
      if (isSet || this.isAffected(part, property, dependence as Dependence)) running.push(handled(this.run(part, property, checks)))
    }
    return (await Promise.all(running)).flat()
  }

  /**
   * Whether the checks of a property that is not set may apply, and may not have before, because of what is set.
   *
   * @throws RowkeyError `CHECK_NEEDS_ROW` if it is not known whether they pass
   */
  private isAffected(part: PartOfRow, property: string, dependence: Dependence): boolean {
    const value = part.watch(() => part.instance[property])
    const isKnown = value.missing.length === 0
    const ask = (condition: Condition): Watched =>
      part.watch(() => condition(part.instance as never, value.result as never), isKnown || condition.length === 1 ? [] : [property])
    const answers = dependence.conditions.map(ask)
    const watched = [value, ...answers, ...dependence.validateIf.map(ask)]
    const named = [...dependence.namedInCode, ...dependence.namedInChecks]
    if (!watched.some(({ hasReadSet }) => hasReadSet) && !named.some((name) => part.sets(name))) return false
    if (answers.some(({ missing, result }) => missing.length === 0 && !result)) return false
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
    const before = Object.getOwnPropertyDescriptor(storage, asked)
    const restore = (): void => {
      if (before === undefined) Reflect.deleteProperty(storage, asked)
      else Object.defineProperty(storage, asked, before)
    }
    Object.defineProperty(storage, asked, { configurable: true, value: () => (restore(), checks) })
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

const asked = 'getTargetValidationMetadatas'

function dependenceOf({ library, model, byProperty }: RegisteredChecks): ReadonlyMap<string, Dependence> {
  const own = new Set<unknown>(Object.values(library)) // the module exports the names of its own checks, which look only at the value
  const all = new Map<string, Dependence>()
  for (const [property, checks] of byProperty) {
    const conditions = conditionsIn(checks)
    const validateIf = checks.flatMap((check) => (check.validateIf === undefined ? [] : [check.validateIf]))
    const getter = getterOf(model.prototype as object, property)
    const code = [...conditions, ...validateIf, ...(getter === undefined ? [] : [getter])]
    const others = checks.filter(({ name }) => !own.has(name))
    const namedInChecks = others.flatMap(({ constraints = [] }) => constraints.filter((text) => typeof text === 'string'))
    if (code.length === 0 && namedInChecks.length === 0) continue
    all.set(property, { conditions, validateIf, namedInCode: code.flatMap((each) => namesIn(String(each))), namedInChecks })
  }
  return all
}

/** Names of properties that a text of code reads: after a dot or in quotes. What it destructures has been read when it was called. */
function namesIn(code: string): string[] {
  return Array.from(
    code.matchAll(/\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)|(['"`])(.*?)\2/gu),
    ([, name, , quoted = '']) => name ?? quoted,
  )
}
