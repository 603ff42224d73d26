import {
  bool,
  bytes,
  desc,
  fixedBytes,
  float64,
  hashPrefix,
  int32,
  int64,
  keyLayout,
  nullable,
  text,
  timestamp,
  uint32,
  type ColumnType,
  type KeyLayout,
  type Row,
} from 'rowkey/codec'
import type { Cells, Column, Kind } from './workloads.js'

const types: Readonly<Record<Kind, ColumnType>> = {
  text: text(),
  integer: int64({ as: 'number' }),
  int32: int32(),
  uint32: uint32(),
  instant: timestamp('ms', { as: 'number' }),
  float: float64(),
  flag: bool(),
  id: fixedBytes(16),
  bigint: int64(),
  bytes: bytes(),
  'nullable flag': nullable(bool()),
}

/** The layout that holds these columns. */
export function layoutOf({ columns, salt }: { readonly columns: readonly Column[]; readonly salt?: string }): KeyLayout {
  const typed = columns.map((column) => [column.name, column.desc === true ? desc(types[column.kind]) : types[column.kind]] as const)
  return keyLayout(typed, salt === undefined ? {} : { salt: hashPrefix({ of: salt }) })
}

/** Makes what `encode` takes. A literal, as applications have it, gives all keys one shape. */
export function keyMaker(columns: readonly Column[]): (cells: Cells) => Record<string, unknown> {
  const parts = columns.map(({ name }, i) => `${JSON.stringify(name)}: cells[${i}]`)
  return new Function('cells', `return { ${parts.join(', ')} }`) as (cells: Cells) => Record<string, unknown>
}

/** What `encodeRow` takes: 64-bit integers are bigint there. */
export const rowOf = (columns: readonly Column[], cells: Cells): Row =>
  columns.map(({ kind }, i) => (kind === 'integer' ? BigInt(cells[i] as number) : (cells[i] as Row[number])))

/** What `decode` gave, by column again. */
export const cellsOfKey = (columns: readonly Column[], key: Readonly<Record<string, unknown>>): Cells =>
  columns.map(({ name }) => key[name] as Cells[number])

/** What `decodeRow` gave. */
export const cellsOfRow = (columns: readonly Column[], row: Row): Cells =>
  columns.map(({ kind }, i) => (kind === 'integer' ? Number(row[i]) : (row[i] as Cells[number])))
