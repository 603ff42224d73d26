/**
 * What went wrong.
 *
 * - `INVALID_ARGUMENT`: the request breaks a limit of HBase; nothing was sent
 * - `SERVER`: HBase said no (`TIOError`, `TIllegalArgument`); `canRetry` is what it said about that
 * - `GATEWAY`: the gateway failed at the request (`TApplicationException`) and says no more; its log does
 * - `UNREACHABLE`: no connection could be opened, or what answers is no Thrift2 gateway with this transport
 * - `CONNECTION_LOST`: the connection ended before the answer
 * - `TIMEOUT`, `ABORTED`: the caller did not wait longer
 * - `MALFORMED_ANSWER`: the answer is not what the call returns
 * - `CLOSED`: the client was closed
 */
export type HBaseErrorCode =
  'INVALID_ARGUMENT' | 'SERVER' | 'GATEWAY' | 'UNREACHABLE' | 'CONNECTION_LOST' | 'TIMEOUT' | 'ABORTED' | 'MALFORMED_ANSWER' | 'CLOSED'

/** Details of an {@link HBaseError}. */
export interface HBaseErrorDetails {
  /** The method that was called, such as `put`. */
  readonly call?: string
  /** Whether the request, or a part of it, was sent: then the server may have executed it, or may still do so. */
  readonly isSent: boolean
  /** `SERVER` only: what the server says about another attempt. It also says true where one cannot help. */
  readonly canRetry?: boolean
  /** `SERVER` only: the simple name of the Java class, such as `NoSuchColumnFamilyException`, if the message begins with one. */
  readonly javaClass?: string
  /** `SERVER` only: the first line of what the server said, without the stack trace. Of what it repeated, the last failure. */
  readonly serverMessage?: string
}

/**
 * The only error that the client throws and rejects with.
 *
 * @example
 * ```ts
 * try {
 *   await client.put('orders', { row, cells })
 * } catch (error) {
 *   if (error instanceof HBaseError && error.isSent) await readBack()
 * }
 * ```
 */
export class HBaseError extends Error {
  readonly code: HBaseErrorCode
  readonly call: string | undefined
  readonly isSent: boolean
  readonly canRetry: boolean | undefined
  readonly javaClass: string | undefined
  readonly serverMessage: string | undefined

  constructor(code: HBaseErrorCode, message: string, details: HBaseErrorDetails, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HBaseError'
    this.code = code
    this.call = details.call
    this.isSent = details.isSent
    this.canRetry = details.canRetry
    this.javaClass = details.javaClass
    this.serverMessage = details.serverMessage
  }
}
