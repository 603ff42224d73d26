import type { Encoding } from '../encodings/encoding.js'
import type { ColumnCode, Mask, Shape } from '../generated/code.js'
import type { TypeData } from '../types/column-type.js'
import type { Value } from '../values/value.js'
import type { Form } from '../values/form.js'
import { implementationOf } from '../link.js'

/** What the codec knows of a kind of column. Direction and nulls are dealt with above it. */
export interface KindCode {
  form(type: TypeData, column: string): Form
  /** Absent where no key can hold the kind. */
  encoding?(type: TypeData): Encoding
  /** The order of the bytes where it is not that of the values. */
  keyOrder?(type: TypeData): (a: Value, b: Value) => number
  /** Generated code; absent where only closures are worth it. */
  code?(type: TypeData, flip: Mask, shape: Shape): ColumnCode
}

export function kindCode(type: TypeData): KindCode {
  return implementationOf(type) as KindCode
}
