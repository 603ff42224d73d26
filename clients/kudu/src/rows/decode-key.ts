// Tested by keys.test.ts.
import { KuduError } from '../error.js'
import type { Value } from '../requests.js'
import type { KuduTable } from '../table.js'
import { bufferOf, readFixed, textOf } from './columnar.js'
import { cellOf } from './keys.js'
import { isFixed, layoutOf, TEXT, type CellColumn } from './layout.js'
import { viewOf } from './sink.js'

/**
 * The values of an encoded key, such as `lastKey` of a batch, in the order of its columns.
 *
 * @throws KuduError with `INVALID_ARGUMENT` for bytes that are no key of the table
 * @example
 * ```ts
 * decodeKey(table, batch.lastKey) //=> ['web-1', 1700000000000000n]
 * ```
 */
export const decodeKey = (table: KuduTable, key: Uint8Array): Value[] =>
  decoded(layoutOf(table.columns).columns.slice(0, table.keyColumns), key)

/**
 * The values of an end of a range, such as `rangeStart` of a tablet, in the order of the range columns; undefined for an open one.
 *
 * @throws KuduError with `INVALID_ARGUMENT` for bytes that are no end of a range of the table
 * @example
 * ```ts
 * decodeRange(table, tablet.rangeStart) //=> [1700000000000000n]
 * ```
 */
export function decodeRange(table: KuduTable, end: Uint8Array): Value[] | undefined {
  const { columns } = layoutOf(table.columns)
  return end.length === 0
    ? undefined
    : decoded(
        table.range.map((position) => columns[position] as CellColumn),
        end,
      )
}

function decoded(columns: readonly CellColumn[], key: Uint8Array): Value[] {
  const bytes = bufferOf(key)
  const values: Value[] = []
  let at = 0
  columns.forEach((column, i) => {
    if (isFixed(column)) {
      const end = at + column.size
      if (end > bytes.length) throw noKey('it ends too early')
      values.push(readFixed(column.kind, viewOf(cellOf(column, bytes.subarray(at, end))), 0))
      at = end
      return
    }
    const isLast = i === columns.length - 1
    const end = isLast ? bytes.length : endOf(bytes, at)
    const held = isLast ? bytes.subarray(at) : unescaped(bytes.subarray(at, end))
    const value = column.kind === TEXT ? textOf(bufferOf(held), 0, held.length) : Uint8Array.from(held)
    if (value === undefined) throw noKey('a text in it is not UTF-8')
    values.push(value)
    at = isLast ? end : end + 2
  })
  if (at !== bytes.length) throw noKey('it continues after its last column')
  return values
}

/** Where a text ends that others follow: 00 within it is 00 01, and 00 00 is the end. */
function endOf(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0, from); at >= 0; at = bytes.indexOf(0, at + 2)) if (bytes[at + 1] === 0) return at
  throw noKey('a text in it has no end')
}

function unescaped(bytes: Buffer): Buffer {
  if (!bytes.includes(0)) return bytes
  const result = Buffer.alloc(bytes.length)
  let to = 0
  for (let at = 0; at < bytes.length; at++) {
    result[to++] = bytes[at] as number
    if (bytes[at] === 0) at++
  }
  return result.subarray(0, to)
}

const noKey = (problem: string): KuduError =>
  new KuduError('INVALID_ARGUMENT', `These bytes are no key of the table: ${problem}.`, { isSent: false })
