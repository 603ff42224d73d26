import type { TypeData } from '../types/column-type.js'
import { derived } from '../link.js'
import { integerKinds } from './integer-range.js'
import { values, type Values } from './values.js'

/** As {@link values}, but `toValue` takes what rows hold, the canonical form, whatever the column looks like outside. */
export function storedValues(type: TypeData, column: string): Values {
  return values(asStored(type), column)
}

function asStored(type: TypeData): TypeData {
  if (type.inner !== undefined) return derived(type, { inner: asStored(type.inner) })
  if (type.kind === 'date' || (type.kind === 'timestamp' && type.unit === 'ms')) return derived(type, { as: 'number' })
  return integerKinds[type.kind]?.bytes === 8 ? derived(type, { as: 'bigint' }) : type
}
