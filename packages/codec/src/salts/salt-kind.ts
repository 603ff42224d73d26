import type { ColumnCodec } from '../encodings/column-codec.js'
import type { Reader } from '../encodings/reader.js'
import type { SaltCode } from '../generated/code.js'
import type { Kind } from '../types/column-type.js'
import type { Row } from '../values/value.js'
import type { Salt } from './salt-data.js'
import { codecError } from '../error.js'
import { implementationOf } from '../link.js'
import { show } from '../values/show.js'

/** What the codec knows of a kind of salt. */
export interface SaltKind {
  /** Why it cannot be of a column, or undefined. */
  refuses?(column: ColumnCodec): string | undefined
  /** Its value for a row; reads `positions` only, which are those of `inputs`. */
  valueOf(salt: Salt, positions: readonly number[], inputs: readonly ColumnCodec[]): (row: Row) => number
  /** Its bytes. */
  form(salt: Salt): SaltForm
  /** Generated code for its value; absent where the call of `of` is good enough. `positions` are those of `inputs`. */
  code?(salt: Salt, positions: readonly number[], inputs: readonly ColumnCodec[]): SaltCode | undefined
  /** As text, of columns by these names; absent from salts of older copies of this package. */
  text?(salt: Salt, columns: string): string
}

/** A seed is said where there is one. */
export const seeded = ({ seed }: Salt): string => (seed === undefined || seed === 0 ? '' : `, seed ${seed}`)

export interface SaltForm {
  readonly bytes: number
  write(target: Uint8Array, at: number, value: number): void
  /** Refuses what `write` cannot have written for any value. */
  read(reader: Reader): number
}

export function saltKind(salt: Salt): SaltKind {
  const kind = implementationOf(salt) as SaltKind | undefined
  if (kind !== undefined) return kind
  throw codecError(
    'INVALID_LAYOUT',
    `this ${show(salt.kind)} is no salt, but perhaps a copy of one. Use the salt itself, or derived().`,
    {},
  )
}

/** `reversed` only turns the bytes; its values are those of the type inside. */
export const kindOf = ({ type }: ColumnCodec): Kind => type.inner?.kind ?? type.kind

/** One byte up to 256 values, else two, big-endian. */
export function numberForm({ count }: Salt): SaltForm {
  const bytes = count <= 256 ? 1 : 2
  return {
    bytes,
    write(target, at, value) {
      if (bytes === 2) target[at++] = value >>> 8
      target[at] = value
    },
    read(reader) {
      reader.column = 'salt'
      const from = reader.take(bytes)
      const value = bytes === 1 ? (reader.bytes[from] as number) : (reader.bytes[from] as number) * 256 + (reader.bytes[from + 1] as number)
      return value < count ? value : reader.fail(`bucket ${value} is not below ${count}`)
    },
  }
}
