import type { Salt } from '../salts/salt.js'
import type { TypeData } from '../type/column-type.js'
import { codecError } from '../error.js'
import { saltImpl } from '../salts/salt.js'
import { saltCodec, type SaltCodec } from '../salts/salt-codec.js'
import { columnCodec, type ColumnCodec } from '../type/column-codec.js'

/** What a layout is made of. */
export interface LayoutParts {
  readonly columns: readonly ColumnCodec[]
  /** How many leading columns belong to the partition P. */
  readonly partitionLength: number
  readonly salts: readonly SaltCodec[]
  readonly saltBytes: number
}

/** @throws RowkeyError `INVALID_LAYOUT` */
export function layoutParts(
  key: readonly { readonly name: string; readonly type: TypeData }[],
  partitionLength: number,
  saltData: readonly Salt[],
): LayoutParts {
  const columns = key.map(({ name, type }) => columnCodec(name, type))
  const salts = saltData.map((salt) => saltCodec(salt, columns))
  checkLevels(saltData)
  const buckets = salts.reduce((product, { count }) => product * count, 1)
  if (!Number.isSafeInteger(buckets)) {
    throw codecError('INVALID_LAYOUT', `the salt levels make ${buckets} buckets together. Keep the product below 2^53.`, {})
  }
  return { columns, partitionLength, salts, saltBytes: salts.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** Refuses a column in two levels of a salt that does not allow that. */
function checkLevels(salts: readonly Salt[]): void {
  for (const salt of salts) {
    const same = salts.filter(({ kind }) => kind === salt.kind).flatMap(({ of }) => of)
    const column = same.find((name, at) => same.indexOf(name) < at)
    if (column === undefined) continue
    const reason = saltImpl(salt).refusesTwice?.(column)
    if (reason !== undefined) throw codecError('INVALID_LAYOUT', reason, { column })
  }
}
