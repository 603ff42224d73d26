import { HttpException } from '@nestjs/common'
import { isRowkeyError, type ErrorCode } from 'rowkey'

/** The body of an answer to an error of rowkey. */
export interface HttpErrorBody {
  readonly statusCode: number
  /** The name of the status, as NestJS writes it. */
  readonly error: string
  /** The code of the error, for programs. */
  readonly code: ErrorCode
  /** For people. It names no table and no key: those of other users could be among them. */
  readonly message: string
  /** What is wrong with the input, if checks of the model refused it. */
  readonly issues?: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
  /** The field that is wrong. */
  readonly column?: string
}

const names = new Map([
  [400, 'Bad Request'],
  [404, 'Not Found'],
  [409, 'Conflict'],
  [413, 'Payload Too Large'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
])

type Answer = readonly [status: number, message: string]

/** Errors with the same answer, whatever their details. All others are faults of the application. */
const answers = new Map<ErrorCode, Answer>([
  ['ROW_EXISTS', [409, 'It exists already.']],
  ['ROW_NOT_FOUND', [404, 'It does not exist.']],
  ['VERSION_CONFLICT', [409, 'Somebody else has changed it in the meantime. Read it again, then repeat your change.']],
  ['CURSOR_INVALID', [400, 'The cursor is not one of a page. Pass it unchanged, or start without one.']],
  ['CURSOR_MISMATCH', [400, 'The cursor belongs to another query. Start without one.']],
  ['LIMIT_EXCEEDED', [413, 'A value is too large to be stored.']],
  ['DEADLINE', [504, 'The store did not answer in time. If this was a change, it may have been made: read before you repeat it.']],
  ['STORE_UNAVAILABLE', [503, 'The store does not answer. Repeat the request later.']],
  ['CLOSED', [503, 'The service is shutting down. Repeat the request later.']],
  ['OUTCOME_UNKNOWN', [503, 'It is unknown whether the change was made. Read before you repeat it.']],
  ['WRITE_INCOMPLETE', [503, 'Some of the changes may not have been made. Read before you repeat them.']],
])

/**
 * The HTTP error for an error of rowkey, with the error as its `cause`; undefined for everything else, and for faults of the application such
 * as `FULL_SCAN_REFUSED`: these are answered with status 500. Use it in a filter of your own; `RowkeyExceptionFilter` does.
 *
 * @example
 * ```ts
 * try {
 *   await orders.insert(order)
 * } catch (error) {
 *   httpErrorOf(error)?.getStatus() //=> 409
 * }
 * ```
 */
export function httpErrorOf(error: unknown): HttpException | undefined {
  if (!isRowkeyError(error)) return undefined
  const code = error.code as ErrorCode
  const answer = answerOf(error)
  if (answer === undefined) return undefined
  const [statusCode, message, more] = answer
  const body: HttpErrorBody = { statusCode, error: names.get(statusCode) ?? '', code, message, ...more }
  return new HttpException(body, statusCode, { cause: error })
}

type DetailedAnswer = readonly [status: number, message: string, more?: Pick<HttpErrorBody, 'issues' | 'column'>]

function answerOf(error: Error & { readonly code: string }): DetailedAnswer | undefined {
  if (isRowkeyError(error, 'VALIDATION_FAILED')) return [400, 'The input is not valid.', { issues: error.details.issues }]
  if (isRowkeyError(error, 'INVALID_VALUE') || isRowkeyError(error, 'INVALID_PREDICATE') || isRowkeyError(error, 'UNKNOWN_COLUMN')) {
    const { column } = error.details
    return column === '' ? [400, 'The input is not valid.'] : [400, `'${column}' is not valid.`, { column }]
  }
  if (isRowkeyError(error, 'WRITE_FAILED')) {
    return error.details.repeatable ? [503, 'The change was not made. Repeat the request later.'] : undefined
  }
  return answers.get(error.code as ErrorCode)
}
