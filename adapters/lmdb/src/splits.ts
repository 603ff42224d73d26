// Tested by tables.test.ts.
import { checkpointUnusable, compareKeys, type Cancellation, type ReadOptions } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { boundKey, prefixLength } from './keys.js'

/** Where a full scan is, as keys of the file: after a key, and in a split up to a key. undefined = from the first, to the last row. */
export interface Place {
  readonly after: Buffer | undefined
  readonly upTo: Buffer | undefined
}

const text = (key: Buffer | undefined): string => key?.toString('base64url', prefixLength) ?? ''

/** The checkpoint is the last rowkey; that of a split also contains the rowkey at its end. */
export const checkpointOf = ({ after, upTo }: Place, isSplit: boolean): string => (isSplit ? `${text(after)}.${text(upTo)}` : text(after))

/** The place of a checkpoint, and whether it is of a split. @throws RowkeyError `CURSOR_INVALID` */
export function placeOf(prefix: Buffer, checkpoint: string | undefined): readonly [place: Place, isSplit: boolean] {
  const keyOf = (part: string | undefined): Buffer | undefined =>
    part === undefined || part === '' ? undefined : boundKey(prefix, Buffer.from(part, 'base64url'))
  const [after, upTo, ...more] = checkpoint?.split('.') ?? []
  const place = { after: keyOf(after), upTo: keyOf(upTo) }
  if (more.length === 0 && !(place.after !== undefined && place.upTo !== undefined && compareKeys(place.after, place.upTo) > 0)) {
    return [place, upTo !== undefined]
  }
  throw checkpointUnusable('it does not contain two rowkeys in their order')
}

/** Keys that are known for each split, so that splits differ by a few percent in size. */
const samplesPerSplit = 32
/** Keys that are skipped without a pause. */
const stride = 10_000

/**
 * Splits a table into up to `count` ranges of about the same size. LMDB cannot tell the number of a key, so all keys are counted, inside of LMDB
 * and with pauses, which takes a small part of the time that reading their rows takes.
 *
 * @throws the reason of the cancellation
 */
export async function splits(table: TableContext, count: number, { cancellation }: ReadOptions): Promise<readonly string[]> {
  const samples = await sample(table, count * samplesPerSplit, cancellation)
  const ends = Array.from({ length: count - 1 }, (_, i) => samples[Math.round(((i + 1) * samples.length) / count) - 1])
  const distinct = ends.filter((end, i): end is Buffer => end !== undefined && (i === 0 || end !== ends[i - 1]))
  // The last range has no end, so that it includes rows that are added.
  return [...distinct, undefined].map((upTo, i) => checkpointOf({ after: distinct[i - 1], upTo }, true))
}

/** Keys at equal distances, between `max` and twice as many of them, or all keys if there are fewer. */
async function sample(table: TableContext, max: number, cancellation: Cancellation | undefined): Promise<readonly Buffer[]> {
  const { start, end } = table
  let keys: Buffer[] = []
  let distance = 1
  let last: Buffer | undefined
  for (let skipped = 0; ; skipped += distance) {
    if (skipped >= stride) {
      await new Promise((resolve) => setImmediate(resolve))
      cancellation?.throwIfOver()
      skipped = 0
    }
    const environment = table.startRead()
    const place = { start: last ?? start, exclusiveStart: last !== undefined, end, offset: distance - 1, limit: 1 }
    const [key] = environment.reading(() => [...environment.db.getKeys(place)])
    if (key === undefined) return keys
    keys.push(key)
    last = key
    if (keys.length < 2 * max) continue
    keys = keys.filter((_, i) => i % 2 === 1)
    distance *= 2
  }
}
