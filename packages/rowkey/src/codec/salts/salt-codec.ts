// Tested by salt.test.ts and constants.test.ts.
import type { SaltCode } from '../compile/column-code.js'
import type { ColumnCodec } from '../type/column-codec.js'
import type { Row, Value } from '../type/column-type.js'
import { codecError } from '../error.js'
import { showName, showNames } from '../show.js'
import { utf8Of } from '../utf8.js'
import { dayOfPeriod, dayOfText } from '../columns/period-days.js'
import { derived } from '../type/type-impl.js'
import { saltImpl, type CountFrom, type Salt, type SaltEncoding } from './salt.js'

/** One salt level of a layout; its bytes include its separator. */
export interface SaltCodec extends SaltEncoding {
  /** Positions of its inputs, ascending. */
  readonly columns: readonly number[]
  readonly count: number
  /** Of one with several numbers of buckets: the position of the period that decides, and the number for one of its values. */
  readonly growth?: { readonly column: number; countAt(period: Value): number }
  /** Its value for a row. It only reads `columns`. */
  of(row: Row): number
  /** Generated code for its value, if it has any. */
  readonly code: SaltCode | undefined
}

/** @throws RowkeyError `INVALID_LAYOUT` if an input is missing, nullable, or of a type that the salt cannot use. */
export function saltCodec(salt: Salt, columns: readonly ColumnCodec[]): SaltCodec {
  const impl = saltImpl(salt)
  const encoding = impl.encoding(salt)
  const separator = utf8Of(salt.separator ?? '')
  const positions = salt.of.map((name) => positionOf(name, salt, columns)).sort((a, b) => a - b)
  const inputs = positions.map((at) => columns[at] as ColumnCodec)
  const growth = growthOf(salt, columns, (one) => impl.valueOf(one, positions, inputs))
  const ownSize = (value: number): number => encoding.size?.(value) ?? encoding.bytes
  return {
    bytes: encoding.bytes + separator.length,
    ...(encoding.size === undefined ? {} : { size: (value) => ownSize(value) + separator.length }),
    write(target, at, value) {
      encoding.write(target, at, value)
      const end = at + ownSize(value)
      for (let i = 0; i < separator.length; i++) target[end + i] = separator[i] as number
    },
    read(reader) {
      reader.column = 'salt'
      const value = encoding.read(reader)
      reader.pass(separator)
      return value
    },
    columns: Object.freeze(
      growth === undefined || positions.includes(growth.column) ? positions : [...positions, growth.column].sort((a, b) => a - b),
    ),
    count: salt.count,
    ...(growth === undefined ? {} : { growth }),
    of: growth === undefined ? impl.valueOf(salt, positions, inputs) : growth.of,
    code: impl.compile?.(salt, positions, inputs),
  }
}

interface Growth {
  readonly column: number
  countAt(period: Value): number
  of(row: Row): number
}

/** The number of buckets by period. */
function growthOf(salt: Salt, columns: readonly ColumnCodec[], valueOf: (salt: Salt) => (row: Row) => number): Growth | undefined {
  const { counts } = salt
  if (counts === undefined) return undefined
  const column = columns.findIndex(({ type }) => type.of !== undefined)
  const type = columns[column]?.type
  if (type === undefined) throw codecError('INVALID_LAYOUT', "the salt has a list of counts, which change with a period, and the key has none. Give one count, or add a period() to the key.", { column: '' }) // prettier-ignore
  const days = counts.map(({ from }) => (from === undefined ? -Infinity : dayOfText(from)))
  const [dayOf, values] = [dayOfPeriod(type), counts.map(({ count }) => valueOf(derived(salt, { count })))]
  const at = (period: Value): number => {
    const day = dayOf(period)
    return days.findLastIndex((from) => from <= day)
  }
  return {
    column,
    countAt: (period) => (counts[at(period)] as CountFrom).count,
    of: (row) => (values[at(row[column] as Value)] as (row: Row) => number)(row),
  }
}

function positionOf(name: string, salt: Salt, columns: readonly ColumnCodec[]): number {
  const at = columns.findIndex((column) => column.name === name)
  const column = columns[at]
  if (column === undefined) {
    const known = showNames(
      columns.filter((other) => !other.type.nullable).map((other) => other.name),
      "'",
    )
    const message = `the salt uses '${showName(name)}', which is not a key column. ${known === '' ? 'Add a key column that is never null' : `Use one of ${known}`}.`
    throw codecError('INVALID_LAYOUT', message, { column: showName(name) })
  }
  if (column.type.nullable) {
    const message = `the salt uses '${showName(name)}', which may be null. Use columns that are never null.`
    throw codecError('INVALID_LAYOUT', message, { column: showName(name) })
  }
  const reason = saltImpl(salt).refuses?.(column)
  if (reason !== undefined) throw codecError('INVALID_LAYOUT', reason, { column: showName(name) })
  return at
}
