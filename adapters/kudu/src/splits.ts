import type { Tablet } from '@rowkey/kudu-client'
import { checkpointUnusable, fromHex, toHex, type ReadOptions } from 'rowkey/adapter'
import { inCall, type TableContext } from './context.js'
import { onTable } from './outcomes.js'

/** Where a tablet is among the others: tablets come and go, and their places stay. */
export interface Place {
  readonly buckets: readonly number[]
  readonly range: Uint8Array
}

/** What is left of a full scan: the tablets from one on, of the first one only the rows after a key, up to another tablet. */
export interface Stretch {
  readonly from: Place | undefined
  readonly after: Uint8Array | undefined
  readonly upTo: Place | undefined
}

export const placeOf = ({ buckets, rangeStart }: Tablet): Place => ({ buckets, range: rangeStart })

export function comparePlaces(a: Place, b: Place): number {
  for (let i = 0; i < Math.min(a.buckets.length, b.buckets.length); i++) {
    const order = (a.buckets[i] as number) - (b.buckets[i] as number)
    if (order !== 0) return order
  }
  return Buffer.compare(a.range, b.range)
}

export const textOf = (place: Place | undefined): string => (place === undefined ? '' : `${place.buckets.join(',')}:${toHex(place.range)}`)

export const checkpointOf = ({ from, after, upTo }: Stretch): string =>
  `${textOf(from)}.${after === undefined ? '' : toHex(after)}.${textOf(upTo)}`

/** @throws RowkeyError `CURSOR_INVALID` */
export function stretchOf(checkpoint: string): Stretch {
  const [, from, after, upTo] = /^([\d,]*:[\da-f]*|)\.([\da-f]*)\.([\d,]*:[\da-f]*|)$/.exec(checkpoint) ?? []
  if (from === undefined || after === undefined || upTo === undefined || after.length % 2 === 1) throw checkpointUnusable('it was changed')
  return { from: parsed(from), after: after === '' ? undefined : fromHex(after), upTo: parsed(upTo) }
}

function parsed(text: string): Place | undefined {
  if (text === '') return undefined
  const [buckets = '', range = ''] = text.split(':')
  const numbers = buckets === '' ? [] : buckets.split(',').map(Number)
  if (range.length % 2 === 1 || !numbers.every((each) => each <= 0xffffffff)) throw checkpointUnusable('it was changed')
  return { buckets: numbers, range: fromHex(range) }
}

/** Tablets in groups of about equally many. A table of one tablet is read as a whole. */
export function splits(table: TableContext, count: number, { cancellation }: ReadOptions): Promise<readonly string[]> {
  return onTable(table, async () => {
    const { table: found } = await table.opened()
    const tablets = await inCall(cancellation, (options) => table.client.tablets(found, {}, options))
    const parts = Math.max(1, Math.min(count, tablets.length))
    const begins = Array.from({ length: parts }, (_, i) =>
      i === 0 ? undefined : placeOf(tablets[Math.floor((i * tablets.length) / parts)] as Tablet),
    )
    return begins.map((from, i) => checkpointOf({ from, after: undefined, upTo: begins[i + 1] }))
  })
}
