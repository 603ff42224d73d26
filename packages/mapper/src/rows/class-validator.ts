import type { ModelClass } from '@rowkey/model'
import { handled, type Issue } from './issues.js'

/** What the mapper uses of the module `class-validator`. */
export interface ClassValidator {
  validate(object: object, options?: ClassValidatorOptions): Promise<readonly ClassValidationError[]>
  validateSync(object: object, options?: ClassValidatorOptions): readonly ClassValidationError[]
  getMetadataStorage(): ClassValidatorStorage
}

interface ClassValidatorOptions {
  readonly skipUndefinedProperties?: boolean
}

interface ClassValidatorStorage {
  getTargetValidationMetadatas(
    target: new () => object,
    schema: string,
    always: boolean,
    strict: boolean,
  ): readonly { readonly type: string; readonly name?: string | undefined }[]
}

/** What it says of a property. */
export interface ClassValidationError {
  readonly property: string
  readonly constraints?: Readonly<Record<string, string>>
  readonly children?: readonly ClassValidationError[]
}

/**
 * Checks objects of one class with class-validator. Synchronous if all checks of the class are the library's own, because those never
 * return a promise. Whether other checks do is only known after they were called, and `validateSync` treats a promise as success.
 */
export class ClassChecks {
  private readonly library: ClassValidator
  private readonly mayWait: boolean

  constructor(library: ClassValidator, model: ModelClass) {
    this.library = library
    const own = new Set<unknown>(Object.values(library)) // the module exports the names of its checks
    const checks = library.getMetadataStorage().getTargetValidationMetadatas(model, '', false, false)
    this.mayWait = checks.some(({ type, name }) => !conditions.has(type) && !(type === 'customValidation' && own.has(name)))
  }

  /** `part`: properties that are missing are not checked. */
  issuesOf(object: object, part: boolean): readonly Issue[] | Promise<readonly Issue[]> {
    const options = { skipUndefinedProperties: part }
    if (this.mayWait) return handled(this.library.validate(object, options).then((errors) => issuesIn(errors, [])))
    return issuesIn(this.library.validateSync(object, options), [])
  }
}

/** Decorators that only say whether others apply. */
const conditions: ReadonlySet<string> = new Set(['conditionalValidation', 'whitelistValidation'])

function issuesIn(errors: readonly ClassValidationError[], above: readonly string[]): readonly Issue[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = [...above, property]
    return [...Object.values(constraints).map((message) => ({ path, message })), ...issuesIn(children, path)]
  })
}
