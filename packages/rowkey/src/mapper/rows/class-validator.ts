// Tested by packages/rowkey/test/model/decorators/class-validator.test.ts.
import type { ModelClass, TableSchema } from '#model'
import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import type { ClassTransformer } from './nested-classes.js'
import { NestedData } from './nested-data.js'

/** What the mapper uses of the module `class-validator`. */
export interface ClassValidator {
  validate(object: object, options?: { skipUndefinedProperties?: boolean; groups?: string[] }): Promise<readonly ClassValidationError[]>
  getMetadataStorage(): ClassValidatorStorage
}

/** Where the decorators of class-validator put what they declare, whatever class they stand in. */
interface ClassValidatorStorage {
  getTargetValidationMetadatas(
    target: new () => object,
    schema: string,
    always: boolean,
    strict: boolean,
    groups?: string[],
  ): readonly ClassValidatorCheck[]
}

/** What one decorator of class-validator declares for a property. */
export interface ClassValidatorCheck {
  readonly type: string
  readonly name?: string | undefined
  readonly propertyName: string
  readonly validateIf?: ((object: never, value: never) => boolean) | undefined
  /** A text, or a function of what is wrong. */
  readonly message?: unknown
}

/** What it says of a property. */
export interface ClassValidationError {
  /** undefined if the object as a whole cannot be checked. */
  readonly property?: string
  readonly constraints?: Readonly<Record<string, string>>
  readonly children?: readonly ClassValidationError[]
}

/** What runs the checks of classes, of the mapper's options. */
export interface Validation {
  readonly classValidator: ClassValidator | undefined
  readonly classTransformer: ClassTransformer | undefined
  /** Checks of these groups, and those that are always run; undefined: all. */
  readonly groups: readonly string[] | undefined
}

/** The checks of a class, and the library that can run them. */
export interface RegisteredChecks {
  readonly library: ClassValidator
  readonly groups: readonly string[] | undefined
  readonly model: ModelClass
  /** By property; every property has a check, not only conditions. */
  readonly byProperty: ReadonlyMap<string, readonly ClassValidatorCheck[]>
  readonly nested: NestedData
}

/**
 * What class-validator knows about the class of a table, its parents included: decorators in `@Check` and those that stand on the fields
 * directly. undefined if there is nothing to check.
 *
 * @throws RowkeyError `INVALID_OPTION` if there are checks that `library` cannot run, because it is missing or is another copy
 */
export function registeredChecks(
  { name, class: model, columns, checks }: TableSchema,
  { classValidator: library, classTransformer, groups }: Validation,
): RegisteredChecks | undefined {
  if (model === undefined) return undefined
  const shared = (globalThis as { classValidatorMetadataStorage?: Partial<ClassValidatorStorage> }).classValidatorMetadataStorage
  const storage = library?.getMetadataStorage()
  const elsewhere = shared === storage ? [] : checksIn(shared, model)
  const known = checksIn(storage, model)
  const declared = checks?.classValidator === true
  if (library === undefined) {
    if (!declared && elsewhere.every(isCondition)) return undefined
    const message = `the model of '${name}' has checks of class-validator, but the mapper was created without it. Pass the module to createMapper() as { classValidator }.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'classValidator', value: 'undefined' })
  }
  if (!elsewhere.every(isCondition) || (declared && known.length === 0)) {
    const message =
      `the model of '${name}' has checks that the class-validator of the mapper does not know, because it is another copy. ` +
      'Pass the module whose decorators the class uses to createMapper() as { classValidator }.'
    throw new RowkeyError('INVALID_OPTION', message, { option: 'classValidator', value: show(library) })
  }
  const chosen = groups === undefined ? known : checksIn(storage, model, groups)
  const byProperty = new Map<string, readonly ClassValidatorCheck[]>()
  for (const { propertyName } of chosen.filter((check) => !isCondition(check))) {
    byProperty.set(
      propertyName,
      chosen.filter((check) => check.propertyName === propertyName),
    )
  }
  if (byProperty.size === 0) return undefined
  const isColumn = (property: string): boolean => columns.some((column) => column.name === property)
  const nested = new NestedData(model, { isColumn, checksOf: (inner) => checksIn(storage, inner, groups), classTransformer })
  return { library, groups, model, byProperty, nested }
}

/** Checks of these groups, or of all. */
function checksIn(
  storage: Partial<ClassValidatorStorage> | undefined,
  model: ModelClass,
  groups?: readonly string[],
): readonly ClassValidatorCheck[] {
  return storage?.getTargetValidationMetadatas?.(model, '', false, false, groups === undefined ? undefined : [...groups]) ?? []
}

/** The getter of an accessor of a class or its parents. */
export function getterOf(prototype: object | null, property: string): (() => unknown) | undefined {
  if (prototype === null) return undefined
  const own = Object.getOwnPropertyDescriptor(prototype, property)
  return own === undefined
    ? getterOf(Object.getPrototypeOf(prototype) as object | null, property)
    : (own.get as (() => unknown) | undefined)
}

/** Whether it only says whether or how others apply. */
const isCondition = ({ type }: ClassValidatorCheck): boolean => conditions.has(type)
const conditions: ReadonlySet<string> = new Set(['conditionalValidation', 'whitelistValidation', 'promiseValidation'])
