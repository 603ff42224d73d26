import type { Row } from '@rowkey/codec'
import type { Page } from '../contract/reading.js'
import { rowWeight } from '../table/row.js'

/** How a scan sizes its requests, in rows per stream. */
export interface RequestSizes {
  readonly first: number
  readonly max: number
  /** How many streams are asked. */
  readonly streams: number
  /** Every row counts towards the limit (nothing is filtered), so no request needs more than what is still wanted. */
  readonly exact: boolean
}

const unlimited = { first: 64, max: 1024 }

/** ceil(limit / k) + 1 first, without a limit 64 / k; then doubling, to 1,024 per stream. */
export function requestSizes(limit: number | undefined, streams: number, exact: boolean): RequestSizes {
  const first = Math.min(Math.ceil((limit ?? unlimited.first) / streams) + 1, unlimited.max)
  return { first, max: unlimited.max, streams, exact: exact && limit !== undefined }
}

/** The maximum size in bytes of all pages of one scan together, estimated from the rows seen so far. */
const heldBytes = 32 * 2 ** 20

/** The rows to ask a stream for after a page: twice as many, as long as they are not too heavy. */
export function nextSize(size: number, page: Page, { max, streams }: RequestSizes): number {
  const doubled = Math.min(size * 2, max)
  const bytes = bytesPerRow(page)
  return bytes === 0 ? doubled : Math.max(1, Math.min(doubled, Math.floor(heldBytes / streams / bytes)))
}

/** By what the store reports; otherwise by the first, the middle and the last row. */
function bytesPerRow({ rows, examined, cost }: Page): number {
  if (cost?.bytes !== undefined) return examined === 0 ? 0 : cost.bytes / examined
  if (rows.length === 0) return 0
  const sample = [0, rows.length >> 1, rows.length - 1].map((at) => rowWeight(rows[at] as Row))
  return Math.max(...sample)
}
