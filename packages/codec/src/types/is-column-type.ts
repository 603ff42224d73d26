import type { TypeData } from './column-type.js'
import { implementationOf } from '../link.js'

/**
 * Whether `given` is a column type, also one of another copy of this package. They are frozen by their constructors: an object that
 * is not cannot be one, and could change later.
 *
 * @example
 * ```ts
 * isColumnType(text()) //=> true
 * isColumnType(text)   //=> false
 * ```
 */
export function isColumnType(given: unknown): given is TypeData {
  return (
    typeof given === 'object' && given !== null && Object.isFrozen(given) && implementationOf(given) !== undefined && 'nullable' in given
  )
}
