import type { ColumnCodec } from '../encodings/column-codec.js'
import type { SaltCodec } from '../salts/salt-codec.js'
import type { ColumnCode } from './code.js'

/** JavaScript text for one salt level; `b` is the key, `o` where it begins, `q0` `q1` … where its columns do. */
export interface SaltCode {
  /** Columns whose begin, and whose end, `value` needs in `q…`. */
  readonly marks: readonly number[]
  /** Expression: the salt of the columns, which are in the key already. */
  readonly value: string
  /** Statements: write `t`. */
  readonly write: string
  /** Condition: whether the key holds another salt than `t`. */
  readonly differs: string
}

/** @param at where the salt stands, from the beginning of the key */
export function saltCode(
  salt: SaltCodec,
  index: number,
  at: number,
  columns: readonly ColumnCodec[],
  codes: readonly ColumnCode[],
): SaltCode {
  const { marks, value } = valueCode(salt, index, columns, codes)
  if (salt.kind === 'hashPrefix') {
    const place = `b,o+${at},${salt.bytes}`
    return { marks, value, write: `writeDigits(${place},t);`, differs: `!areDigits(${place},t)` }
  }
  if (salt.bytes === 1) return { marks, value, write: `b[o+${at}]=t;`, differs: `b[o+${at}]!==t` }
  return { marks, value, write: `b[o+${at}]=t>>>8;b[o+${at + 1}]=t;`, differs: `(b[o+${at}]<<8|b[o+${at + 1}])!==t` }
}

function valueCode(
  { kind, columns: of, count, seed, drop, isText }: SaltCodec,
  index: number,
  columns: readonly ColumnCodec[],
  codes: readonly ColumnCode[],
): Pick<SaltCode, 'marks' | 'value'> {
  const first = of[0] as number
  const last = of.at(-1) as number
  const isOneRun = last - first + 1 === of.length && of.every((position) => columns[position]?.type.desc === false)
  if (kind === 'hash' && isOneRun) {
    return { marks: [first, last + 1], value: `murmur3(b,q${first},q${last + 1},${seed})%${count}` }
  }
  if (kind === 'hashPrefix' && isText) return { marks: [], value: `md5OfText(String(v${first}))>>>${drop}` }
  const row = codes.slice(0, last + 1).map((code, i) => (of.includes(i) ? code.canonical(`v${i}`) : '0'))
  return { marks: [], value: `s${index}.of([${row.join()}])` }
}

/** The lowest hex digit as lower-case ASCII. */
const lastDigit = (value: number): number => (value & 15) + ((value & 15) < 10 ? 0x30 : 0x57)

/** Hex digits of a number as ASCII. */
export function writeDigits(target: Uint8Array, at: number, digits: number, value: number): void {
  for (let i = digits - 1; i >= 0; i--) {
    target[at + i] = lastDigit(value)
    value >>>= 4
  }
}

export function areDigits(bytes: Uint8Array, at: number, digits: number, value: number): boolean {
  for (let i = digits - 1; i >= 0; i--) {
    if (bytes[at + i] !== lastDigit(value)) return false
    value >>>= 4
  }
  return true
}
