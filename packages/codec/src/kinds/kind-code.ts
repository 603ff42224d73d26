import type { Encoding } from '../encodings/encoding.js'
import type { ColumnCode, Mask, Shape } from '../generated/code.js'
import type { TypeData } from '../types/column-type.js'
import type { Value } from '../values/value.js'
import type { Form } from '../values/form.js'
import { codecError } from '../error.js'
import { implementationOf } from '../link.js'
import { show } from '../values/show.js'

/** What the codec knows of a kind of column. Direction and nulls are dealt with above it. */
export interface KindCode {
  form(type: TypeData, column: string): Form
  /** Absent where no key can hold the kind. */
  encoding?(type: TypeData): Encoding
  /** The order of the bytes where it is not that of the values. */
  keyOrder?(type: TypeData): (a: Value, b: Value) => number
  /** Generated code; absent where only closures are worth it. */
  code?(type: TypeData, flip: Mask, shape: Shape): ColumnCode
  /** What stands in the parentheses where the type is written as text; absent where there is nothing. */
  words?(type: TypeData): readonly string[]
}

export function kindCode(type: TypeData): KindCode {
  const code = implementationOf(type) as KindCode | undefined
  if (code !== undefined) return code
  const message = `this ${show(type.kind)} is no column type, but perhaps a copy of one. Use the type itself, or derived().`
  throw codecError('INVALID_COLUMN_TYPE', message, { type: show(type.kind) })
}
