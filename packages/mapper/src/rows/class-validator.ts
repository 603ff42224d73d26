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
    target: object,
    schema: string,
    always: boolean,
    strict: boolean,
  ): readonly { readonly type: string; readonly constraintCls: object }[]
  getTargetCustomValidatorConstraints(target: object): readonly { readonly async: boolean }[]
}

/** What it says of a property. */
export interface ClassValidationError {
  readonly property: string
  readonly constraints?: Readonly<Record<string, string>>
  readonly children?: readonly ClassValidationError[]
}

/** Has class-validator look at objects of one class; at once, unless a check of the class is asynchronous. */
export class ClassChecks {
  private readonly library: ClassValidator
  private readonly isAsync: boolean

  constructor(library: ClassValidator, model: Class) {
    this.library = library
    const storage = library.getMetadataStorage()
    this.isAsync = storage
      .getTargetValidationMetadatas(model, '', false, false)
      .some(
        ({ type, constraintCls }) =>
          type === 'nestedValidation' || storage.getTargetCustomValidatorConstraints(constraintCls).some(({ async }) => async),
      )
  }

  /** `part`: properties that are not there are not looked at. */
  issuesOf(object: object, part: boolean): readonly Issue[] | Promise<readonly Issue[]> {
    const options = { skipUndefinedProperties: part }
    if (this.isAsync) return handled(this.library.validate(object, options).then((errors) => issuesIn(errors, [])))
    return issuesIn(this.library.validateSync(object, options), [])
  }
}

function issuesIn(errors: readonly ClassValidationError[], above: readonly string[]): readonly Issue[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = [...above, property]
    return [...Object.values(constraints).map((message) => ({ path, message })), ...issuesIn(children, path)]
  })
}
