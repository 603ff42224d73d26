// Tested by operations.test.ts.
import { kindOf, Refusal } from '../refusal.js'
import type { Column, ColumnType, Row } from '../requests.js'
import { show } from '../show.js'

/** How cells are stored. */
export const INT8 = 0
export const INT16 = 1
export const INT32 = 2
export const INT64 = 3
export const DECIMAL32 = 4
export const DECIMAL64 = 5
export const DECIMAL128 = 6
export const BOOL = 7
export const FLOAT = 8
export const DOUBLE = 9
export const TEXT = 10
const BYTES = 11

/** What the cells of a column are, ready for loops. */
export interface CellColumn {
  readonly name: string
  readonly type: ColumnType
  readonly position: number
  readonly kind: number
  /** Bytes of a cell in a row; texts and bytes have an offset and a length there. */
  readonly size: number
  readonly isKey: boolean
  readonly isNullable: boolean
  /** Whether a new row must set it. */
  readonly isRequired: boolean
  /** Whether every object has a property of this name. */
  readonly isInherited: boolean
  /** Of INT8, INT16, INT32 and DATE. */
  readonly min: number
  readonly max: number
  /** DECIMAL: the largest number of its digits. */
  readonly largest: bigint
  /** Characters of VARCHAR; otherwise without a bound. */
  readonly characters: number
}

/** The columns of a table, ready for loops. */
export interface RowLayout {
  readonly columns: readonly CellColumn[]
  readonly positions: ReadonlyMap<string, number>
  readonly keyColumns: number
  /** Bytes of a bitmap of the columns. */
  readonly bitmap: number
  /** Rows say which columns are null only if one of the table's can be. */
  readonly hasNullable: boolean
  /** Bytes of a row of which every column is set, with its type and bitmaps. */
  readonly size: number
  /** Bytes of the key without texts and bytes, and how many these are. */
  readonly fixedKey: number
  readonly varyingKey: number
}

const kinds: Readonly<Record<Exclude<ColumnType, 'DECIMAL'>, number>> = {
  INT8,
  INT16,
  INT32,
  INT64,
  UNIXTIME_MICROS: INT64,
  DATE: INT32,
  STRING: TEXT,
  VARCHAR: TEXT,
  BINARY: BYTES,
  BOOL,
  FLOAT,
  DOUBLE,
}
const sizes: readonly number[] = [1, 2, 4, 8, 4, 8, 16, 1, 4, 8, 16, 16]

/** From 0001-01-01 to 9999-12-31. */
const dates = { min: -719_162, max: 2_932_896 }

const known = new WeakMap<readonly Column[], RowLayout>()

/** The layout of rows with these columns. It is kept as long as the list is. */
export function layoutOf(columns: readonly Column[]): RowLayout {
  let layout = known.get(columns)
  if (layout === undefined) known.set(columns, (layout = newLayout(columns)))
  return layout
}

function newLayout(given: readonly Column[]): RowLayout {
  const columns = given.map(cellColumn)
  const bitmap = Math.ceil(columns.length / 8)
  const key = columns.filter(({ isKey }) => isKey)
  const hasNullable = columns.some(({ isNullable }) => isNullable)
  const fixed = key.filter(isFixed)
  return {
    columns,
    positions: new Map(columns.map(({ name, position }) => [name, position])),
    keyColumns: key.length,
    bitmap,
    hasNullable,
    size: 1 + (hasNullable ? 2 : 1) * bitmap + sum(columns),
    fixedKey: sum(fixed),
    varyingKey: key.length - fixed.length,
  }
}

/** Layout of one column. */
export function cellColumn(column: Column, position: number): CellColumn {
  const { name, type, isKey, isNullable = false, precision = 0 } = column
  const kind = type === 'DECIMAL' ? decimalKind(precision) : kinds[type]
  if (kind === undefined) throw new Refusal(pathOf(name), `has the type ${show(String(type))}, which does not exist`)
  const bits = 8 * (sizes[kind] as number)
  return {
    name,
    type,
    position,
    kind,
    size: sizes[kind] as number,
    isKey,
    isNullable,
    isRequired: !isNullable && column.defaultValue === undefined,
    isInherited: name in Object.prototype,
    ...(type === 'DATE' ? dates : { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 }),
    largest: type === 'DECIMAL' ? 10n ** BigInt(precision) - 1n : 0n,
    characters: type === 'VARCHAR' ? (column.length ?? 65_535) : Infinity,
  }
}

const decimalKind = (precision: number): number => (precision <= 9 ? DECIMAL32 : precision <= 18 ? DECIMAL64 : DECIMAL128)

const sum = (columns: readonly CellColumn[]): number => columns.reduce((total, { size }) => total + size, 0)

export const isFixed = ({ kind }: { readonly kind: number }): boolean => kind < TEXT

/** The name of a column within a path. */
export const pathOf = (name: string): string => (/^[\w$]+$/.test(name) ? name : show(name))

/** A column of a table by its name. */
export function columnNamed({ columns, positions }: RowLayout, name: string): CellColumn {
  const position = positions.get(name)
  if (position !== undefined) return columns[position] as CellColumn
  throw new Refusal('column', `is ${typeof name === 'string' ? show(name) : kindOf(name)}, which is no column${listed(positions)}`)
}

/** Refuses a row with a column that the table does not have: its value would be lost. */
export function checkRowNames({ positions }: RowLayout, row: Row): void {
  for (const name in row) {
    if (positions.has(name) || !Object.hasOwn(row, name)) continue
    throw new Refusal(pathOf(name), `is no column${listed(positions)}`)
  }
}

/** The names of a short table. */
const listed = (positions: ReadonlyMap<string, number>): string =>
  positions.size > 20 ? '' : `. There are ${[...positions.keys()].map(show).join(', ')}`

/** What a row has in a column. */
export const valueIn = (row: Row, { name, isInherited }: CellColumn): Row[string] =>
  isInherited && !Object.hasOwn(row, name) ? undefined : row[name]
