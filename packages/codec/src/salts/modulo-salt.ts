import type { ColumnCodec } from '../encodings/column-codec.js'
import { integerKinds } from '../values/integer-range.js'
import { kindOf, numberForm, type SaltKind } from './salt-kind.js'

const isCounted = (column: ColumnCodec): boolean =>
  kindOf(column) === 'timestamp' || kindOf(column) === 'date' || integerKinds[kindOf(column)] !== undefined

/** bucket({ of, modulo }): KEY-23. */
export const moduloSalt: SaltKind = {
  form: numberForm,
  text: ({ count }, columns) => `bucket(${columns}; modulo ${count})`,
  refuses(column) {
    if (isCounted(column)) return undefined
    return `bucket({ modulo }) is of '${column.name}', a ${column.type.kind}. Use an integer, timestamp or date column, or { count }.`
  },
  valueOf({ count }, [position = 0], [input]) {
    const signed = kindOf(input as ColumnCodec) !== 'uint64'
    return (row) => floorModulo(row[position] as number | bigint, count, signed)
  },
}

const halves = new DataView(new ArrayBuffer(8))

/** Without bigint arithmetic, by the two halves of the value. */
function floorModulo(value: number | bigint, modulo: number, signed: boolean): number {
  if (typeof value === 'number') return floored(value, modulo)
  halves.setBigUint64(0, value)
  const high = floored(signed ? halves.getInt32(0) : halves.getUint32(0), modulo)
  return (high * (2 ** 32 % modulo) + halves.getUint32(4)) % modulo
}

function floored(value: number, modulo: number): number {
  const rest = value % modulo
  return rest < 0 ? rest + modulo : rest + 0
}
