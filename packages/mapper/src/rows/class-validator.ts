import type { Class } from '@rowkey/model'
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
 * Has class-validator look at objects of one class. At once if all checks of the class are the library's own: those never wait. What
 * others do can only be told by calling them, and `validateSync` takes a promise for a success.
 */
export class ClassChecks {
  private readonly library: ClassValidator
  private readonly mayWait: boolean

  constructor(library: ClassValidator, model: Class) {
    this.library = library
    const own = new Set<unknown>(Object.values(library)) // the module exports the names of its checks
    const checks = library.getMetadataStorage().getTargetValidationMetadatas(model, '', false, false)
    this.mayWait = checks.some(({ type, name }) => !conditions.has(type) && !(type === 'customValidation' && own.has(name)))
  }

  /** `part`: properties that are not there are not looked at. */
  issuesOf(object: object, part: boolean): readonly Issue[] | Promise<readonly Issue[]> {
    const options = { skipUndefinedProperties: part }
    if (this.mayWait) return handled(this.library.validate(object, options).then((errors) => issuesIn(errors, [])))
    return issuesIn(this.library.validateSync(object, options), [])
  }
}

/** What only says whether others are asked. */
const conditions: ReadonlySet<string> = new Set(['conditionalValidation', 'whitelistValidation'])

function issuesIn(errors: readonly ClassValidationError[], above: readonly string[]): readonly Issue[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = [...above, property]
    return [...Object.values(constraints).map((message) => ({ path, message })), ...issuesIn(children, path)]
  })
}
