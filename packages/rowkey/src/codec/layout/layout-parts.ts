// Tested by constants.test.ts and open-end.test.ts.
import type { Salt } from '../salts/salt.js'
import type { Row, TypeData } from '../type/column-type.js'
import { codecError } from '../error.js'
import { saltImpl } from '../salts/salt.js'
import { saltCodec, type SaltCodec } from '../salts/salt-codec.js'
import { showName } from '../show.js'
import { columnCodec, type ColumnCodec } from '../type/column-codec.js'
import type { SplitOrder } from '../type/open-end.js'

/** What a layout is made of. */
export interface LayoutParts {
  readonly columns: readonly ColumnCodec[]
  /** How many leading columns belong to the partition P. */
  readonly partitionLength: number
  readonly salts: readonly SaltCodec[]
  /** How many bytes the salts have, at most if one of them has no fixed length. */
  readonly saltBytes: number
  /** Whether a key may begin another one, because one of its columns ends with the key, or a fixed number of bytes before its end. */
  readonly openEnded: boolean
  /** The order of keys from a column that has an open end and no order of its own; undefined without such a column. */
  readonly split: SplitOrder | undefined
}

/** A key column by name. */
interface NamedType {
  readonly name: string
  readonly type: TypeData
}

/** @throws RowkeyError `INVALID_LAYOUT` */
export function layoutParts(key: readonly NamedType[], partitionLength: number, saltData: readonly Salt[]): LayoutParts {
  const columns = columnsOf(key, partitionLength)
  const salts = saltData.map((salt) => saltCodec(salt, columns))
  checkLevels(saltData)
  const buckets = salts.reduce((product, { count }) => product * count, 1)
  if (!Number.isSafeInteger(buckets)) {
    throw codecError('INVALID_LAYOUT', `the salt levels make ${buckets} buckets together. Keep the product below 2^53.`, {})
  }
  const saltBytes = salts.reduce((sum, { bytes }) => sum + bytes, 0)
  const open = columns.findIndex(({ openEnd }) => openEnd !== undefined)
  const split = columns[open]?.openEnd?.order?.(columns, open)
  return { columns, partitionLength, salts, saltBytes, openEnded: open >= 0, split }
}

/** The codecs of the columns. One whose end is found from the end of the key knows how many bytes are after it. */
function columnsOf(key: readonly NamedType[], partitionLength: number): readonly ColumnCodec[] {
  const columns = key.map(({ name, type }) => columnCodec(name, type))
  const open = columns.findIndex(({ openEnd }) => openEnd !== undefined)
  const column = columns[open]
  if (column === undefined) return columns
  const rest = columns.slice(open + 1)
  const reason = column.openEnd?.misplaced(column, open < partitionLength, rest)
  if (reason !== undefined) {
    throw codecError('INVALID_LAYOUT', `column '${showName(column.name)}' ${reason}.`, { column: showName(column.name) })
  }
  const after = rest.reduce((sum, { minBytes }) => sum + minBytes, 0)
  return columns.with(open, columnCodec(column.name, column.type, after))
}

/** How many bytes the salts of a row have. */
export const saltSize = (salts: readonly SaltCodec[], row: Row): number =>
  salts.reduce((sum, salt) => sum + (salt.size?.(salt.of(row)) ?? salt.bytes), 0)

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
