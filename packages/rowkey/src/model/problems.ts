import { RowkeyError } from '#codec'
import { showName } from '#codec/internal'

/** What can be wrong with a definition; stable, so that tools can branch on it. */
export type ProblemCode =
  | 'INVALID_NAME'
  | 'DUPLICATE_NAME'
  | 'INVALID_TYPE'
  | 'TOO_MANY_COLUMNS'
  | 'EMPTY_KEY'
  | 'UNKNOWN_COLUMN'
  | 'REPEATED_COLUMN'
  | 'NOT_A_KEY_TYPE'
  | 'INVALID_PERIOD'
  | 'INVALID_SALT'
  | 'SHARED_SALT_COLUMN'
  | 'INVALID_OPTION'
  | 'INVALID_TTL'
  | 'INVALID_VERSION'
  | 'INVALID_CHECK'
  | 'INVALID_INDEX'
  | 'MALFORMED_JSON'
  | 'NOT_A_TABLE'
  | 'REPEATED_TABLE'
  | 'REDEFINED_COLUMN'
  | 'NO_FIELD'
  | 'FIELD_TYPE'
  | 'INVALID_ORDINAL'
  | 'DUPLICATE_ORDINAL'
  | 'ORDINAL_GAP'
  | 'PARTITION_NOT_FIRST'
  | 'NOT_CONSTRUCTIBLE'
  | 'DECORATOR_MODE'
  | 'NOT_CALLED'

/** One thing that is wrong with a definition: what, where, and the remedy. */
export interface Problem {
  readonly code: ProblemCode
  /** Property name of the column at fault. */
  readonly column?: string
  readonly message: string
}

/** `details` of the error `INVALID_SCHEMA`: everything that is wrong, not only the first thing; the first 100 of more. */
export interface InvalidSchemaDetails {
  /** The name of the table, or of the class without `@Table`; empty if there is neither. */
  readonly table: string
  readonly problems: readonly Problem[]
}

/** How many problems an error has in its details, and in its message. A definition from outside may have any number. */
const maxProblems = 100
const maxLines = 20

/** Collects problems, so that one error can report them all. @internal */
export class Problems {
  readonly list: Problem[] = []
  private count = 0

  add({ code, column, message }: Pick<Problem, 'code' | 'message'> & { readonly column?: string | undefined }): void {
    if (++this.count > maxProblems) return
    this.list.push(Object.freeze(column === undefined ? { code, message } : { code, column: showName(column), message }))
  }

  /** @throws RowkeyError `INVALID_SCHEMA` if there is any */
  throwAny(subject: unknown): void {
    if (this.list.length > 0) throw this.error(subject)
  }

  /** `subject`: the name of a table, or the class that has none. */
  error(subject: unknown, options?: ErrorOptions): RowkeyError<'INVALID_SCHEMA', InvalidSchemaDetails> {
    const problems = Object.freeze([...this.list])
    const count = this.count === 1 ? 'a problem' : `${this.count} problems`
    const lines = problems.slice(0, maxLines).map(({ code, message }) => `- ${code}: ${message}`)
    const more = this.count > maxLines ? [`- and ${this.count - maxLines} more`] : []
    const what = typeof subject === 'string' ? `table '${showName(subject)}'` : isClass(subject) ? described(subject) : 'the model'
    const name = isClass(subject) ? subject.name : subject
    const table = typeof name === 'string' ? showName(name) : ''
    return new RowkeyError('INVALID_SCHEMA', [`${what} has ${count}:`, ...lines, ...more], Object.freeze({ table, problems }), options)
  }
}

export const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null

/** A misspelt option would be ignored silently. */
export function refuseOptions(given: object, known: readonly string[], problems: Problems): void {
  for (const option of Object.keys(given)) {
    if (known.includes(option)) continue
    problems.add({ code: 'INVALID_OPTION', message: `there is no option '${showName(option)}'. The options are ${known.join(', ')}.` })
  }
}

/** A class as messages name it. Not every class has a name, and a static `name` can be anything. */
export function described(model: Named): string {
  return typeof model.name === 'string' && model.name !== '' ? `class ${showName(model.name)}` : 'a class without a name'
}

const isClass = (given: unknown): given is Named => typeof given === 'function'

interface Named {
  readonly name: unknown
}
