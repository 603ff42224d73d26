// Tested by show.test.ts.
import { detailsOf, messageOf } from './error-text.js'

const brand = Symbol.for('rowkey.error')

/**
 * The one error class of rowkey: a stable literal `code` to branch on, `details` for programs, and a message that says what
 * is wrong, where, and how to fix it.
 *
 * Message and details can be logged whatever a caller passed: characters that a terminal or a log would obey are escaped, a message has at
 * most 4,000 characters and so has each text of the details. Only `details.key` and `details.cursor` are exact, because programs pass them to
 * other calls, and `cause` is what somebody else threw.
 *
 * Recognise it with {@link isRowkeyError}, not with `instanceof`: two copies of the package may be loaded.
 *
 * @example
 * ```ts
 * let caught
 * try { keyLayout([['host', text()]]).encode({}) } catch (error) { caught = error }
 * isRowkeyError(caught, 'INVALID_VALUE') //=> true
 * caught.message                         //=> "INVALID_VALUE: column 'host' cannot hold undefined. Give well-formed text (no lone surrogate)."
 * caught.details                         //=> { column: 'host', value: 'undefined' }
 * ```
 */
export class RowkeyError<Code extends string = string, Details extends object = Readonly<Record<string, unknown>>> extends Error {
  readonly code: Code
  readonly details: Details

  /** @param message one line, or a list of lines */
  constructor(code: Code, message: string | readonly string[], details: Details, options?: ErrorOptions) {
    super(messageOf(code, typeof message === 'string' ? [message] : message), options)
    this.name = 'RowkeyError'
    this.code = code
    this.details = detailsOf(details)
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * Whether `error` is a {@link RowkeyError}, optionally with this `code`. Works across copies of the package.
 *
 * @example
 * ```ts
 * isRowkeyError(new Error('x')) //=> false
 * ```
 */
export function isRowkeyError<Code extends keyof CodecErrorDetails>(
  error: unknown,
  code: Code,
): error is RowkeyError<Code, CodecErrorDetails[Code]>
export function isRowkeyError<Code extends string>(error: unknown, code?: Code): error is RowkeyError<Code>
export function isRowkeyError<Code extends string>(error: unknown, code?: Code): error is RowkeyError<Code> {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false
  return code === undefined || ('code' in error && error.code === code)
}

/**
 * The message of an error without its code.
 *
 * @internal
 * @example
 * ```ts
 * sentenceOf(new RowkeyError('ROW_EXISTS', 'it exists.', {})) //=> 'it exists.'
 * ```
 */
export function sentenceOf({ code, message }: RowkeyError): string {
  return message.slice(`${code}: `.length)
}

/**
 * The same error with more words before and after its message, and more details.
 *
 * @internal
 * @example
 * ```ts
 * const error = new RowkeyError('ROW_EXISTS', 'it exists.', {})
 * reworded(error, { before: 'at index 3: ', details: { index: 3 } }).message //=> 'ROW_EXISTS: at index 3: it exists.'
 * ```
 */
export function reworded<Code extends string, Details extends object>(
  error: RowkeyError<Code, Details>,
  { before = '', after = '', details: more }: { readonly before?: string; readonly after?: string; readonly details?: object },
): RowkeyError<Code, Details> {
  const { code, details, cause } = error
  const lines = `${before}${sentenceOf(error as RowkeyError)}${after}`.split('\n')
  return new RowkeyError(code, lines, more === undefined ? details : { ...details, ...more }, cause === undefined ? {} : { cause })
}

/** What the errors of this package carry in `details`, by code. `offset`: where reading stopped. */
export interface CodecErrorDetails {
  INVALID_COLUMN_TYPE: { readonly type: string }
  INVALID_LAYOUT: { readonly column?: string }
  /** `index`: the index of the row or key, if the call took a list. */
  INVALID_VALUE: { readonly column: string; readonly value: string; readonly index?: number }
  /** `reason` begins in lower case and has no full stop. */
  MALFORMED_KEY: { readonly column: string; readonly offset: number; readonly reason: string }
  SALT_UNBOUND: { readonly salt: string; readonly missing: readonly string[] }
}

/**
 * An error whose details are those of its code.
 *
 * @internal
 * @example
 * ```ts
 * codecError('INVALID_LAYOUT', 'the key has no columns.', {}).message //=> 'INVALID_LAYOUT: the key has no columns.'
 * ```
 */
export function codecError<C extends keyof CodecErrorDetails>(
  code: C,
  message: string | readonly string[],
  details: CodecErrorDetails[C],
  options?: ErrorOptions,
): RowkeyError<C, CodecErrorDetails[C]> {
  return new RowkeyError(code, message, details, options)
}
