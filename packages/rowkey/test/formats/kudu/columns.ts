import { BINARY, DATE, DECIMAL, INT16, INT32, INT64, INT8, STRING, UNIXTIME_MICROS, VARCHAR, type KuduType } from '#formats/kudu'
import type { Cell, Vector } from './vectors.js'

const plain: Readonly<Record<string, KuduType>> = { INT8, INT16, INT32, INT64, UNIXTIME_MICROS, DATE, STRING, BINARY }

/** `DECIMAL(9,2)` as the vectors name it. */
function typeOf(name: string): KuduType {
  const [, kind = '', first = '', second = ''] = /^(\w+)(?:\((\d+)(?:,(\d+))?\))?$/.exec(name) ?? []
  if (kind === 'DECIMAL') return DECIMAL(Number(first), Number(second))
  return kind === 'VARCHAR' ? VARCHAR(Number(first)) : (plain[kind] as KuduType)
}

/** Columns c0, c1, … of these types. */
export const columnsOf = (types: readonly string[]): readonly (readonly [name: string, type: KuduType])[] =>
  types.map((type, at) => [`c${at}`, typeOf(type)])

/** The values of a vector as our types want them; a cell that is not set is left out. */
export function keyOf({ values }: Vector, types: readonly string[]): Record<string, unknown> {
  const entries = values.map((cell, at) => [`c${at}`, cell === null ? undefined : valueOf(cell, typeOf(types[at] as string))] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function valueOf({ t, v }: NonNullable<Cell>, { kind, scale = 0 }: KuduType): unknown {
  if (t === 'bytes') return Uint8Array.from(Buffer.from(v, 'hex'))
  if (t === 'decimal') return scaled(v, scale)
  if (kind === 'DATE') return new Date(Number(v) * 86_400_000)
  if (t === 'int') return kind === 'INT64' || kind === 'UNIXTIME_MICROS' ? BigInt(v) : Number(v)
  return v
}

/** What Java prints, with exactly `scale` digits behind the point; one that has more stays as it is. */
function scaled(text: string, scale: number): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/.exec(text) ?? []
  const zeros = scale - fraction.length + Number(exponent)
  if (zeros < 0) return text
  const digits = String(BigInt(whole + fraction) * 10n ** BigInt(zeros)).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`
}
