// Tested by properties.test.ts.
import type { ColumnType, Trait, TypeData, Value } from '../type/column-type.js'
import { compareText } from '../compare.js'
import { withData } from '../type/make-type.js'
import { attachImpl, derived, typeImpl, type Encoding, type TypeImpl } from '../type/type-impl.js'
import { typeText } from '../type/describe.js'
import { textEncoding } from './text.js'
import { checkWrapped, notWrapped } from './wrappers.js'

/** Back to front by code point. */
const backwards = (value: Value): string => Array.from(String(value)).reverse().join('')

/** Text, or the decimal digits of an integer, back to front by code point, escaped like text. */
function reversedEncoding(inner: TypeData): Encoding {
  const storage = typeImpl(inner).storage(inner)
  if (storage.class !== 'int' && storage.class !== 'bigint') return backwardsText
  const { min, max } = storage
  const parse = (text: string): Value | undefined => {
    if (!/^-?\d{1,20}$/.test(text)) return undefined
    const value = BigInt(text)
    if (String(value) !== text || value < min || value > max) return undefined
    return storage.class === 'bigint' ? value : Number(value)
  }
  return {
    ...backwardsText,
    minBytes: textEncoding.minBytes + 1,
    maxBytes: textEncoding.minBytes + Math.max(String(min).length, String(max).length),
    read: (reader) => parse(backwards(textEncoding.read(reader))) ?? reader.fail(`this is not a reversed ${inner.kind}`),
  }
}

const backwardsText: Encoding = {
  minBytes: textEncoding.minBytes,
  maxBytes: Infinity,
  size: (value) => textEncoding.size(String(value)), // the same code points in another order
  write: (target, at, value) => textEncoding.write(target, at, backwards(value)),
  read: (reader) => backwards(textEncoding.read(reader)),
}

const innerOf = ({ inner }: TypeData): TypeData => inner as TypeData

/** Values are those of the type inside. Only the key is reversed. */
export const reversedImpl: TypeImpl = {
  conversion: (type, column) => typeImpl(innerOf(type)).conversion(innerOf(type), column),
  storage: (type) => typeImpl(innerOf(type)).storage(innerOf(type)),
  canonical: (type) => derived(type, { inner: typeImpl(innerOf(type)).canonical?.(innerOf(type)) ?? innerOf(type) }),
  encoding: (type) => reversedEncoding(innerOf(type)),
  compareEncoded: () => (a, b) => compareText(backwards(a), backwards(b)),
  fromJSON: (options, { inner }, read) => reversed(read(inner, options)),
  positional: ['inner'],
  parameters: (type) => [typeText(innerOf(type))],
  jsType: (type) => typeImpl(innerOf(type)).jsType?.(innerOf(type)),
  hashesAsText: (type) => typeImpl(innerOf(type)).hashesAsText?.(innerOf(type)) === true,
}

/**
 * Vendor idiom `reverse(userid)`: the text, or the decimal digits of an integer, back to front by code point. It spreads ids that
 * begin alike. Range and prefix queries do not work with it.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for a type other than plain text or an integer.
 * @example
 * ```ts
 * toHex(keyLayout([['user', reversed(text())]]).encode({ user: 'abc' })) //=> '6362610000'
 * ```
 */
export function reversed<V, T extends Trait>(type: ColumnType<V, T>): ColumnType<V, Exclude<T, 'range' | 'prefix'>> {
  checkWrapped('reversed', type)
  const impl = typeImpl(type)
  if (impl.reversible !== true) throw notWrapped('reversed', type, 'Use it on text or integers.')
  if (type.desc || type.nullable) throw notWrapped('reversed', type, 'Put desc() and nullable() around reversed(), not inside.')
  if (type.followedBy !== undefined) throw notWrapped('reversed', type, 'Put followedBy() around reversed(), not inside.')
  const { name, default: initial, ...data } = type
  const inner = attachImpl(data, impl)
  const outer = attachImpl<TypeData>({ kind: 'reversed', desc: false, nullable: false, ordered: false, inner }, reversedImpl)
  return withData(outer, { ...(name === undefined ? {} : { name }), ...(initial === undefined ? {} : { default: initial }) })
}
