import type { TypeData } from '../type/column-type.js'
import { rawBytes, rawText } from '../type/raw-encoding.js'
import { typeImpl, type Encoding } from '../type/type-impl.js'

/**
 * What Kudu hashes and writes for the last column of a key; undefined if Kudu has no such type.
 *
 * @internal
 * @example
 * ```ts
 * kuduLast(text()).size('web') //=> 3
 * kuduLast(uint8())            //=> undefined
 * ```
 */
export function kuduLast(type: TypeData): Encoding | undefined {
  if (type.followedBy !== undefined) return undefined
  const impl = typeImpl(type)
  if (impl.kudu === 'raw') return impl.storage(type).class === 'bytes' ? rawBytes : rawText
  return impl.kudu === 'encoded' ? impl.encoding?.(type, 0) : undefined
}
