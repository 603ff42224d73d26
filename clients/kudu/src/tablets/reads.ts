import { MalformedAnswer } from '../malformed-answer.js'
import type { ScanResponsePB } from '../proto/messages.js'
import { RowBatch } from '../rows/row-batch.js'
import type { TableColumn } from '../table.js'
import type { Waiting } from '../transport/waiting.js'

/** `COLUMNAR_LAYOUT` of `RowFormatFlags`. */
export const columnarLayout = 2n

/**
 * How all rows are read, also the newest: at the time of the server, unless the request has another one. Then the server first does what was
 * written before, so that a new leader, or an old one that is none any more, has all that was acknowledged. The mode `READ_LATEST` does not wait.
 */
export const readMode = 'READ_AT_SNAPSHOT' as const

/** The rows of an answer. @throws KuduError with `MALFORMED_ANSWER` */
export function batchOf(
  columns: readonly TableColumn[],
  message: ScanResponsePB,
  sidecars: readonly Uint8Array[],
  waiting: Waiting,
): RowBatch {
  try {
    return new RowBatch(columns, message.columnarData, sidecars, message.lastPrimaryKey)
  } catch (error) {
    if (!(error instanceof MalformedAnswer)) throw error
    throw waiting.error('MALFORMED_ANSWER', `was answered wrongly: ${error.message}.`, { isSent: true }, error)
  }
}
