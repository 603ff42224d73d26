import { RowkeyError } from '@rowkey/codec'
import { described, isClass } from './described.js'

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
  | 'INVALID_SALT'
  | 'SHARED_SALT_COLUMN'
  | 'INVALID_OPTION'
  | 'INVALID_TTL'
  | 'INVALID_VERSION'
  | 'INVALID_CHECK'
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

/** One thing that is wrong with a definition: what, where, and the remedy. */
export interface Problem {
  readonly code: ProblemCode
  /** Property name of the column at fault. */
  readonly column?: string
  readonly message: string
}

/** `details` of the error `INVALID_SCHEMA`: everything that is wrong, not only the first thing. */
export interface InvalidSchemaDetails {
  /** The name of the table, or of the class without `@Table`; empty if there is neither. */
  readonly table: string
  readonly problems: readonly Problem[]
}

/** Collects problems, so that one error can report them all. @internal */
export class Problems {
  readonly list: Problem[] = []

  add(code: ProblemCode, column: string | undefined, message: string): void {
    this.list.push(Object.freeze(column === undefined ? { code, message } : { code, column, message }))
  }

  /** @throws RowkeyError `INVALID_SCHEMA` if there is any */
  throwAny(subject: unknown): void {
    if (this.list.length > 0) throw this.error(subject)
  }

  /** `subject`: the name of a table, or the class that has none. */
  error(subject: unknown, options?: ErrorOptions): RowkeyError<'INVALID_SCHEMA', InvalidSchemaDetails> {
    const problems = Object.freeze([...this.list])
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    const lines = problems.map(({ code, message }) => `\n- ${code}: ${message}`)
    const what = typeof subject === 'string' ? `table '${subject}'` : isClass(subject) ? described(subject) : 'the model'
    const name = isClass(subject) ? subject.name : subject
    const table = typeof name === 'string' ? name : ''
    return new RowkeyError('INVALID_SCHEMA', `${what} has ${count}:${lines.join('')}`, Object.freeze({ table, problems }), options)
  }
}
