// Tested by client.test.ts.
/**
 * What went wrong.
 *
 * - `INVALID_ARGUMENT`: the request breaks a limit of Kudu, or is not one; nothing was sent
 * - `NOT_FOUND`: the table, or the row of an update or a delete, does not exist
 * - `ALREADY_PRESENT`: the table, or the row of an insert, exists
 * - `NO_PARTITION`: no range partition takes the row; nothing was sent
 * - `SERVER`: a server said no otherwise; `status` says how
 * - `NOT_AUTHORIZED`: the user or the token is refused, or the servers require TLS
 * - `UNREACHABLE`: no connection could be opened to any server that could help; nothing was sent
 * - `CONNECTION_LOST`: the connection ended before the answer, and the time was over before another attempt
 * - `TIMEOUT`, `ABORTED`: the caller did not wait longer
 * - `MALFORMED_ANSWER`: the answer is not what the call returns
 * - `CLOSED`: the client was closed
 */
export type KuduErrorCode =
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'ALREADY_PRESENT'
  | 'NO_PARTITION'
  | 'SERVER'
  | 'NOT_AUTHORIZED'
  | 'UNREACHABLE'
  | 'CONNECTION_LOST'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'MALFORMED_ANSWER'
  | 'CLOSED'

/** Details of a {@link KuduError}. */
export interface KuduErrorDetails {
  /** The method that was called, such as `write`. */
  readonly call?: string | undefined
  /** Whether the request, or a part of it, was sent and may have been executed, or may still be. */
  readonly isSent: boolean
  /** What the server said: the name of `AppStatusPB.code` such as `ILLEGAL_STATE`, of `MasterErrorPB`, `TabletServerErrorPB` or `ErrorStatusPB`. */
  readonly status?: string | undefined
  /** What the server said in words. */
  readonly serverMessage?: string | undefined
}

/**
 * The only error that the client throws and rejects with.
 *
 * @example
 * ```ts
 * try {
 *   await client.insert(table, { host: 'web-1', time: 1n })
 * } catch (error) {
 *   if (error instanceof KuduError && error.code === 'ALREADY_PRESENT') return
 *   throw error
 * }
 * ```
 */
export class KuduError extends Error {
  readonly code: KuduErrorCode
  readonly call: string | undefined
  readonly isSent: boolean
  readonly status: string | undefined
  readonly serverMessage: string | undefined

  constructor(code: KuduErrorCode, message: string, details: KuduErrorDetails, options?: ErrorOptions) {
    super(message, options)
    this.name = 'KuduError'
    this.code = code
    this.call = details.call
    this.isSent = details.isSent
    this.status = details.status
    this.serverMessage = details.serverMessage
  }
}
