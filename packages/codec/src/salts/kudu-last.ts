import type { TypeData } from '../type/column-type.js'
import { typeImpl, type Encoding } from '../type/type-impl.js'
import { readUtf8, utf8Length, writeUtf8 } from '../utf8.js'

/** All bytes up to the end of the key. Only the last column can have this form. */
const rawBytes: Encoding<Uint8Array> = {
  minBytes: 0,
  maxBytes: Infinity,
  size: (value) => value.length,
  write(target, at, value) {
    target.set(value, at)
    return at + value.length
  },
  read: (reader) => reader.copyFrom(reader.advance(reader.left)),
}

/** UTF-8 up to the end of the key. Only the last column can have this form. */
const rawText: Encoding<string> = {
  minBytes: 0,
  maxBytes: Infinity,
  size: utf8Length,
  write: (target, at, value) => writeUtf8(target, at, value, false),
  read: (reader) => readUtf8(reader.copyFrom(reader.advance(reader.left))) ?? reader.fail('the text is not UTF-8'),
}

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
  const impl = typeImpl(type)
  if (impl.kudu === 'raw') return impl.storage(type).class === 'bytes' ? rawBytes : rawText
  return impl.kudu === 'encoded' ? impl.encoding?.(type) : undefined
}
