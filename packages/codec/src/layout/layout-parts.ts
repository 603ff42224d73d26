import type { TypeData } from '../types/column-type.js'
import type { Salt } from '../salts/salt-data.js'
import { columnCodec, type ColumnCodec } from '../encodings/column-codec.js'
import { codecError } from '../error.js'
import { saltCodec, type SaltCodec } from '../salts/salt-codec.js'

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

/** Kudu hashes no column twice; with other salts it may make sense. */
function checkLevels(salts: readonly Salt[]): void {
  const hashed = salts.filter(({ kind }) => kind === 'hashPartition').flatMap(({ of }) => of)
  const twice = hashed.find((name, at) => hashed.indexOf(name) < at)
  if (twice === undefined) return
  const message = `two levels of hashPartition() are of '${twice}', as no Kudu table can be. Use each column in one level.`
  throw codecError('INVALID_LAYOUT', message, { column: twice })
}
