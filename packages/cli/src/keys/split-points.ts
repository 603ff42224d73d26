import type { TableSchema } from 'rowkey'
import { compareKeys } from 'rowkey/codec'
import { Failure, exitCodes } from '../failure.js'

/**
 * The rowkeys that cut a table into equal parts, ascending: the first keys of all parts but the first. Without a sample, a table is cut at borders of
 * its buckets, because these have equally many rows.
 *
 * @throws Failure for more parts than buckets
 */
export function bucketSplits({ name, layout }: TableSchema, parts: number): readonly Uint8Array[] {
  const { buckets, rowkeyBound } = layout
  if (parts <= buckets) {
    const first = (bucket: number): Uint8Array => rowkeyBound(bucket, { prefix: [], edge: 'before' }) as Uint8Array
    return Array.from({ length: parts - 1 }, (_, at) => first(Math.round(((at + 1) * buckets) / parts)))
  }
  const why =
    buckets === 1
      ? `'${name}' has no salt, so its model does not say where its rows are. Give rowkeys of real rows: --sample FILE.`
      : `'${name}' has ${buckets} buckets, which can be cut into at most ${buckets} parts. Give a smaller --count, or rowkeys of real rows: --sample FILE.`
  throw new Failure(why, exitCodes.refused)
}

/**
 * The same at rowkeys of a sample of rows, so that each part has equally many of them.
 *
 * @throws Failure for a sample with fewer different keys than parts
 */
export function sampleSplits(sample: readonly Uint8Array[], parts: number): readonly Uint8Array[] {
  const sorted = sample.toSorted(compareKeys)
  const unique = sorted.filter((key, at) => at === 0 || compareKeys(sorted[at - 1] as Uint8Array, key) !== 0)
  if (unique.length < parts) {
    throw new Failure(
      `the sample has ${unique.length} different keys, which is too few for ${parts} parts. Give more, or a smaller --count.`,
    )
  }
  const points = Array.from({ length: parts - 1 }, (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / parts)] as Uint8Array)
  const isAscending = points.every((key, at) => at === 0 || compareKeys(points[at - 1] as Uint8Array, key) < 0)
  if (isAscending) return points
  throw new Failure(`some key is so often in the sample that it cannot be cut into ${parts} equal parts. Give a smaller --count.`)
}
