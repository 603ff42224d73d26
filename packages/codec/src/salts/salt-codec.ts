import type { ColumnCodec } from '../encodings/column-codec.js'
import type { SaltCode } from '../generated/code.js'
import type { Row } from '../values/value.js'
import type { Salt } from './salt-data.js'
import { codecError } from '../error.js'
import { saltKind, type SaltForm } from './salt-kind.js'

/** One salt level of a layout. */
export interface SaltCodec extends SaltForm {
  /** Positions of its inputs, ascending. */
  readonly columns: readonly number[]
  readonly count: number
  /** Its value for a row; reads `columns` only. */
  of(row: Row): number
  /** Generated code for its value, where there is any. */
  readonly code: SaltCode | undefined
}

/** @throws RowkeyError `INVALID_LAYOUT` if an input is missing, nullable, or not of a type that the salt can be of. */
export function saltCodec(salt: Salt, columns: readonly ColumnCodec[]): SaltCodec {
  const kind = saltKind(salt)
  const positions = salt.of.map((name) => positionOf(name, salt, columns)).sort((a, b) => a - b)
  const inputs = positions.map((at) => columns[at] as ColumnCodec)
  return {
    ...kind.form(salt),
    columns: Object.freeze(positions),
    count: salt.count,
    of: kind.valueOf(salt, positions, inputs),
    code: kind.code?.(salt, positions, inputs),
  }
}

function positionOf(name: string, salt: Salt, columns: readonly ColumnCodec[]): number {
  const at = columns.findIndex((column) => column.name === name)
  const column = columns[at]
  if (column === undefined) {
    const known = columns.map((other) => `'${other.name}'`).join(', ')
    throw codecError('INVALID_LAYOUT', `the salt is of '${name}', which is no key column. Use one of ${known}.`, { column: name })
  }
  if (column.type.nullable) {
    throw codecError('INVALID_LAYOUT', `the salt is of '${name}', which may be null. Use columns that are never null.`, { column: name })
  }
  const reason = saltKind(salt).refuses?.(column)
  if (reason !== undefined) throw codecError('INVALID_LAYOUT', reason, { column: name })
  return at
}
