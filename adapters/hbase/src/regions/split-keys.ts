// Tested by ddl.test.ts and regions.test.ts.
import { fromHex, invalidOption, toHex, type TableSchema } from 'rowkey/adapter'
import { hbaseHints, type Splits } from '../options.js'

/** Where a new table is cut: the first rows of all regions but the first one, ascending. @throws RowkeyError `INVALID_OPTION` */
export function splitKeys(schema: TableSchema): readonly Uint8Array[] {
  const { splits } = hbaseHints(schema)
  return splits === undefined ? [] : sorted(keysOf(schema, splits))
}

function keysOf(schema: TableSchema, splits: Splits): readonly Uint8Array[] {
  if (typeof splits === 'number') return bordersFor(schema, splits)
  if (!('sample' in splits)) return splits.map((key) => fromHex(key))
  const sample = sorted(splits.sample.map((key) => fromHex(key)))
  return Array.from({ length: splits.count - 1 }, (_, i) => sample[Math.floor(((i + 1) * sample.length) / splits.count)] as Uint8Array)
}

/** @throws RowkeyError `INVALID_OPTION` for a table with fewer buckets */
function bordersFor({ name, layout }: TableSchema, regions: number): readonly Uint8Array[] {
  const { buckets } = layout
  if (regions > buckets) {
    const remedy =
      buckets === 1
        ? 'The table has no salt, so nothing says where to cut it. Give a list of rowkeys or a sample of them.'
        : `The table has ${buckets} buckets. Give at most as many regions, or a list of rowkeys.`
    throw invalidOption('hbase', `stores.hbase.splits of '${name}'`, regions, remedy)
  }
  return bucketBorders(layout, regions)
}

const mostSorted = 65_536

/** Borders of buckets between parts that have about equally many buckets each. */
export function bucketBorders({ buckets, rowkeyBound }: TableSchema['layout'], parts: number): readonly Uint8Array[] {
  const first = (bucket: number): Uint8Array => rowkeyBound(bucket, { prefix: [], edge: 'before' }) as Uint8Array
  // Bucket numbers in decimal text are not in the order of their bytes.
  const inOrder = buckets <= mostSorted ? sorted(Array.from({ length: buckets }, (_, bucket) => first(bucket))) : undefined
  const borderAt = (bucket: number): Uint8Array => inOrder?.[bucket] ?? first(bucket)
  return Array.from({ length: parts - 1 }, (_, i) => borderAt(Math.round(((i + 1) * buckets) / parts)))
}

/** Ascending, each one once. */
export function sorted(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  const unique = new Map(keys.map((key) => [toHex(key), key]))
  return [...unique.values()].sort((a, b) => Buffer.compare(a, b))
}
