import { HttpException } from '@nestjs/common'
import { isRowkeyError, type ErrorCode, type ErrorDetails } from 'rowkey'

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
  /** The option that is wrong, such as `limit`. */
  readonly option?: string
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

/** What a client's data cannot cause: a fault in the application, its tables or an adapter. It is answered with status 500. */
const fault = undefined

/**
 * The answer to every error whose status depends on its code only. Whatever a client's data can cause has a status below 500, even if a mistake
 * in the application could cause it too: no client may raise alarms or fill the log. 400 is for requests that are refused whatever is stored,
 * and 404 and 409 are for those that do not fit what is stored now.
 */
const answers: Readonly<Record<Exclude<ErrorCode, keyof typeof detailed>, Answer | typeof fault>> = {
  KEY_IMMUTABLE: [400, 'A field that identifies it cannot be changed.'],
  MALFORMED_KEY: [400, 'The key is not valid.'],
  FULL_SCAN_REFUSED: [400, 'The request asks for too much. Name more exactly what it is for.'],
  PARTITION_REQUIRED: [400, 'The request asks for too much. Name more exactly what it is for.'],
  FAN_OUT_EXCEEDED: [400, 'The request asks for too much. Name more exactly what it is for.'],
  TOO_MANY_RANGES: [400, 'The request asks for too many different values.'],
  EXAMINED_LIMIT: [400, 'The request would have to search too much. Name more exactly what it is for.'],
  ORDER_UNAVAILABLE: [400, 'This order is not available.'],
  ATOMIC_SCOPE: [400, 'So many changes cannot be made together.'],
  CURSOR_INVALID: [400, 'The cursor is not one of a page. Pass it unchanged, or start without one.'],
  CURSOR_MISMATCH: [400, 'The cursor belongs to another query. Start without one.'],
  ROW_NOT_FOUND: [404, 'It does not exist.'],
  UNIQUE_VIOLATION: [409, 'Another one has this already.'],
  ROW_EXISTS: [409, 'It exists already.'],
  VERSION_CONFLICT: [409, 'Somebody else has changed it in the meantime. Read it again, then repeat your change.'],
  CONDITION_FAILED: [409, 'It is not in the state that the change requires. Read it again, then decide again.'],
  NO_PARTITION: [409, 'It lies outside of what is stored, such as a time that is too old or too new.'],
  LIMIT_EXCEEDED: [413, 'A value is too large to be stored.'],
  STORE_UNAVAILABLE: [503, 'The store does not answer. Repeat the request later.'],
  CLOSED: [503, 'The service is shutting down. Repeat the request later.'],
  OUTCOME_UNKNOWN: [503, 'It is unknown whether the change was made. Read before you repeat it.'],
  DEADLINE: [504, 'The store did not answer in time. If this was a change, it may have been made: read before you repeat it.'],
  ADAPTER_FAULT: fault,
  CHECK_NEEDS_ROW: fault,
  INDEX_NEEDS_ROW: fault,
  INDEX_NOT_READABLE: fault,
  CLIENT_OPTION: fault,
  COPY_COLLISION: fault,
  COPY_MISMATCH: fault,
  CORRUPT_ROW: fault,
  UNREADABLE_ROW: fault,
  INVALID_COLUMN_TYPE: fault,
  INVALID_LAYOUT: fault,
  INVALID_SCHEMA: fault,
  NOT_SUPPORTED: fault,
  PLAIN_WRITES_ONLY: fault,
  SALT_UNBOUND: fault,
  SCHEMA_MISMATCH: fault,
  STORE_REFUSED: fault,
  STORE_UNUSABLE: fault,
  TABLE_NOT_EMPTY: fault,
  TABLE_NOT_FOUND: fault,
  TTL_UNDECLARED: fault,
}

type DetailedAnswer = readonly [status: number, message: string, more?: Pick<HttpErrorBody, 'issues' | 'column' | 'option'>]

/** Answers that depend on the details of an error. */
const detailed = {
  VALIDATION_FAILED: ({ issues }: ErrorDetails['VALIDATION_FAILED']) => [400, 'The input is not valid.', { issues }],
  INVALID_VALUE: inField,
  INVALID_PREDICATE: inField,
  UNKNOWN_COLUMN: inField,
  OUT_OF_RANGE: ({ column }: ErrorDetails['OUT_OF_RANGE']) => [409, `'${column}' would become too large or too small.`, { column }],
  INVALID_OPTION: ({ option }: ErrorDetails['INVALID_OPTION']) =>
    ofRequests.has(option) ? [400, `'${option}' is not valid.`, { option }] : fault,
  WRITE_FAILED: ({ repeatable }: ErrorDetails['WRITE_FAILED']) =>
    repeatable ? [503, 'The change was not made. Repeat the request later.'] : fault,
  WRITE_INCOMPLETE: ({ outcomes }: ErrorDetails['WRITE_INCOMPLETE']) => {
    if (outcomes.some(({ kind }) => kind === 'unknown' || kind === 'unprocessed'))
      return [503, 'Some of the changes may not have been made. Read before you repeat them.']
    const isRefused = outcomes.every(({ cause }) => (answerOf(cause)?.[0] ?? 500) < 500)
    return isRefused ? [409, 'Some of the changes do not fit what is stored now, and were not made. The others were.'] : fault
  },
} satisfies { readonly [Code in ErrorCode]?: (details: ErrorDetails[Code]) => DetailedAnswer | typeof fault }

/** Options whose values applications take from requests. All others are for the application to set. */
const ofRequests: ReadonlySet<string> = new Set(['after', 'before', 'expires', 'from', 'limit', 'order', 'select', 'size', 'to'])

/** Max characters of a name that a client gave. */
const maxName = 128

function inField({ column: given }: { readonly column: string }): DetailedAnswer {
  const column = given.length > maxName ? `${given.slice(0, maxName)}…` : given
  return column === '' ? [400, 'The input is not valid.'] : [400, `'${column}' is not valid.`, { column }]
}

/**
 * The HTTP error for an error of rowkey, with the error as its `cause`; undefined for everything else, and for faults of the application such
 * as `SCHEMA_MISMATCH`: these are answered with status 500. Use it in a filter of your own; `RowkeyExceptionFilter` does.
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
  const answer = answerOf(error)
  if (answer === fault) return undefined
  const [statusCode, message, more] = answer
  const code = (error as { readonly code: ErrorCode }).code
  const body: HttpErrorBody = { statusCode, error: names.get(statusCode) ?? '', code, message, ...more }
  return new HttpException(body, statusCode, { cause: error })
}

function answerOf(error: unknown): DetailedAnswer | typeof fault {
  if (!isRowkeyError(error)) return fault
  const { code, details } = error
  if (Object.hasOwn(detailed, code))
    return (detailed as unknown as Readonly<Record<string, (details: object) => DetailedAnswer | typeof fault>>)[code]?.(details)
  return Object.hasOwn(answers, code) ? answers[code as keyof typeof answers] : fault // an adapter may have a code of its own
}
