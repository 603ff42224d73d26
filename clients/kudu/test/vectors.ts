import { readFileSync } from 'node:fs'
import type { Value } from '../src/requests.js'

export interface Cell {
  readonly t: 'int' | 'decimal' | 'string' | 'bytes'
  readonly v: string
}

interface Vector {
  readonly values: readonly (Cell | null)[]
  readonly hex?: string
  readonly rank?: number
  readonly buckets?: readonly number[]
  readonly error?: string
}

interface Level {
  readonly columns: readonly number[]
  readonly buckets: number
  readonly seed: string
}

export interface Group {
  readonly id: string
  readonly types: readonly string[]
  readonly options: {
    readonly key?: 'primary' | 'partition'
    readonly seed?: string
    readonly hash?: readonly Level[]
    readonly range?: readonly number[]
    readonly customRange?: { readonly lower: string; readonly upper: string; readonly hash: readonly Level[] }
  }
  readonly vectors: readonly Vector[]
}

/** What the client of Kudu 1.18.1 for Java encodes (`KeyEncoder`, `PartitionSchema`). */
export const { groups } = JSON.parse(readFileSync(new URL('fixtures/vectors.json', import.meta.url), 'utf8')) as {
  readonly groups: readonly Group[]
}

/** The value of a column of a type, as writes take it. */
export function valueOf(cell: Cell, type: string): Value {
  if (cell.t === 'string') return cell.v
  if (cell.t === 'bytes') return Buffer.from(cell.v, 'hex')
  if (cell.t === 'decimal') return digitsOf(cell.v, Number(/,(\d+)/.exec(type)?.[1]))
  return /^(INT64|UNIXTIME_MICROS)$/.test(type) ? BigInt(cell.v) : Number(cell.v)
}

/** All digits of a decimal with so many after the point. */
function digitsOf(text: string, scale: number): bigint {
  const [, sign, whole, after = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(text) as unknown as [
    string,
    string,
    string,
    string?,
    string?,
  ]
  const shift = scale - after.length + Number(exponent)
  const digits = BigInt(`${sign}${whole}${after}`)
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  if (digits % 10n ** BigInt(-shift) !== 0n) throw new Error(`${text} has more than ${scale} digits after its point`)
  return digits / 10n ** BigInt(-shift)
}
