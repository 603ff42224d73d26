import { checkpointUnusable } from 'rowkey/adapter'
import { maxPartitionBytes, maxSortKeyBytes, type KeyParts } from './keys.js'

/** A segment of a table: the items with some hashes of their partition key, which the server decides. */
export interface Segment {
  readonly Segment: number
  readonly TotalSegments: number
}

/** Where a full scan is: after an item; undefined = at the start. In a split, in a segment. */
export interface Place {
  readonly after: KeyParts | undefined
  readonly segment: Segment | undefined
}

/** The server knows where its segments end, so a split is nothing but the number of its segment. */
export const splits = (count: number): readonly string[] => Array.from({ length: count }, (_, segment) => `${segment}/${count}`)

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** The checkpoint is the key of the last item; that of a split also contains its segment. */
export function checkpointOf({ p, s }: KeyParts, segment: Segment | undefined): string {
  const key = `${base64url(p)}.${base64url(s)}`
  return segment === undefined ? key : `${segment.Segment}/${segment.TotalSegments}.${key}`
}

/** @throws RowkeyError `CURSOR_INVALID` */
export function placeOf(checkpoint: string): Place {
  const [, number, total, rest] = /^(\d{1,7})\/(\d{1,7})(?:\.(.+))?$/s.exec(checkpoint) ?? []
  if (number === undefined) return { after: keyOf(checkpoint), segment: undefined }
  const segment = { Segment: Number(number), TotalSegments: Number(total) }
  if (segment.Segment >= segment.TotalSegments) throw checkpointUnusable('it names a segment that does not exist')
  return { after: rest === undefined ? undefined : keyOf(rest), segment }
}

function keyOf(checkpoint: string): KeyParts {
  const [p, s, ...more] = checkpoint.split('.').map((part) => new Uint8Array(Buffer.from(part, 'base64url')))
  if (p !== undefined && s !== undefined && more.length === 0) {
    const isKey = p.length > 0 && p.length <= maxPartitionBytes && s.length > 0 && s.length <= maxSortKeyBytes // the server refuses all other keys
    if (isKey) return { p, s }
  }
  throw checkpointUnusable('it does not contain the key of an item')
}
