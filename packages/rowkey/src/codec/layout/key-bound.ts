// Also tested by prefix.test.ts.
import type { Row } from '../type/column-type.js'
import type { Bound, Bucket } from './bound.js'
import type { LayoutParts } from './layout-parts.js'
import type { RowLayout } from './row-layout.js'
import type { ColumnCodec } from '../type/column-codec.js'
import { codecError } from '../error.js'
import { isPlainObject } from '../built-in.js'
import { show, showName, showNames } from '../show.js'

/** The rowkey bound of an object of leading columns, each a column of the key. Everything else about it is checked here. */
export function keyBound(
  parts: LayoutParts,
  rows: RowLayout,
  prefix: Readonly<Record<string, unknown>>,
  edge: Bound['edge'],
  bucket?: Bucket,
): Uint8Array | null {
  const row = leadingRow(parts, prefix)
  if (edge !== 'before' && edge !== 'after') throw refused('', edge, `a bound is 'before' or 'after' its prefix, not ${show(edge)}.`)
  return rows.rowkeyBound(bucket === undefined ? bucketOf(parts, rows, row) : checkBucket(rows, bucket), { prefix: row, edge })
}

function leadingRow({ columns }: LayoutParts, prefix: Readonly<Record<string, unknown>>): Row {
  const end = columns.findIndex(({ name }) => !has(prefix, name))
  const leading = end < 0 ? columns : columns.slice(0, end)
  const after = columns.slice(leading.length).filter(({ name }) => has(prefix, name))
  const gap = columns[end]
  if (gap !== undefined && after.length > 0) {
    const names = `"${showNames([...leading, ...after].map(({ name }) => name))}"`
    throw refused(gap.name, prefix, `a bound takes leading columns without a gap, but ${names} leaves out '${showName(gap.name)}'.`)
  }
  // `{}` means all keys. An object of a class that has none of the columns is a mistake.
  if (leading.length === 0 && !isPlainObject(prefix))
    throw refused('', prefix, `a bound cannot have the prefix ${show(prefix)}. Give leading columns, or {} for all keys.`)
  return leading.map(({ name, values }) => values.toValue(prefix[name]))
}

/** As `encode` reads it: accessors of a class count, properties that every object has do not. */
function has(prefix: object, name: string): boolean {
  return Object.hasOwn(prefix, name) || (name in prefix && !(name in Object.prototype))
}

function checkBucket({ buckets }: RowLayout, bucket: Bucket): Bucket {
  if (Number.isInteger(bucket) && bucket >= 0 && bucket < buckets) return bucket
  throw refused('', bucket, `the layout has no bucket ${show(bucket)}. Give an integer from 0 to ${buckets - 1}.`)
}

function bucketOf(parts: LayoutParts, rows: RowLayout, row: Row): Bucket {
  const nameAt = (at: number): string => (parts.columns[at] as ColumnCodec).name
  for (const { columns } of parts.salts) {
    const missing = columns.filter((at) => at >= row.length).map(nameAt)
    if (missing.length === 0) continue
    const salt = showNames(columns.map(nameAt))
    throw codecError('SALT_UNBOUND', `the salt of (${salt}) needs ${showNames(missing, "'")}. Bind these columns or pass the bucket.`, {
      salt,
      missing,
    })
  }
  return rows.bucketOf(row)
}

function refused(column: string, given: unknown, message: string): Error {
  return codecError('INVALID_VALUE', message, { column: showName(column), value: show(given) })
}
