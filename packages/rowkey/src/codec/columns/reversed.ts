// Tested by properties.test.ts.
import type { ColumnType, Trait, TypeData, Value } from '../type/column-type.js'
import { compareText } from '../compare.js'
import { withData } from '../type/make-type.js'
import { attachImpl, derived, typeImpl, type Encoding, type Spelling, type TypeImpl } from '../type/type-impl.js'
import { typeText } from '../type/describe.js'
import { checkWrapped, notWrapped } from './wrappers.js'

/** Back to front by code point. */
const backwards = (text: string): string => Array.from(text).reverse().join('')

/** The text of a value back to front by code point, in the bytes that the type inside has for text. */
function reversedEncoding(inner: TypeData): Encoding {
  const { write, read, encoding } = spellingOf(inner)
  return {
    ...encoding,
    size: (value) => encoding.size(write(value)), // the same code points in another order
    write: (target, at, value) => encoding.write(target, at, backwards(write(value))),
    read: (reader) => read(backwards(encoding.read(reader))) ?? reader.fail(`this is not a reversed ${inner.kind}`),
  }
}

const spellingOf = (type: TypeData): Spelling => typeImpl(type).spelling?.(type) as Spelling

/** The order of the bytes: that of the texts back to front, with the separator that follows them. */
function reversedOrder(inner: TypeData): (a: Value, b: Value) => number {
  const { write } = spellingOf(inner)
  const form = (value: Value): string => backwards(write(value)) + (inner.separator ?? '')
  return (a, b) => compareText(form(a), form(b))
}

const innerOf = ({ inner }: TypeData): TypeData => inner as TypeData

/** Values are those of the type inside. Only the key is reversed. */
export const reversedImpl: TypeImpl = {
  conversion: (type, column) => typeImpl(innerOf(type)).conversion(innerOf(type), column),
  storage: (type) => typeImpl(innerOf(type)).storage(innerOf(type)),
  canonical: (type) => derived(type, { inner: typeImpl(innerOf(type)).canonical?.(innerOf(type)) ?? innerOf(type) }),
  encoding: (type) => reversedEncoding(innerOf(type)),
  compareEncoded: (type) => reversedOrder(innerOf(type)),
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
 * The text ends as that of the type inside: `text()` and integers have a terminator, `separatedText('_')` a separator, `fixedText(8)` its
 * width, `lastText()` the end of the key. For integers without terminator there is {@link digits}.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for a type other than these.
 * @example
 * ```ts
 * toHex(keyLayout([['user', reversed(text())]]).encode({ user: 'abc' }))             //=> '6362610000'
 * toHex(keyLayout([['user', reversed(separatedText('_'))]]).encode({ user: 'abc' })) //=> '6362615f'
 * ```
 */
export function reversed<V, T extends Trait>(type: ColumnType<V, T>): ColumnType<V, Exclude<T, 'range' | 'prefix'>> {
  checkWrapped('reversed', type)
  const impl = typeImpl(type)
  if (impl.spelling?.(type) === undefined) throw notWrapped('reversed', type, 'Use it on text, integers or digits().')
  if (type.desc || type.nullable) throw notWrapped('reversed', type, 'Put desc() and nullable() around reversed(), not inside.')
  if (type.followedBy !== undefined) throw notWrapped('reversed', type, 'Put followedBy() around reversed(), not inside.')
  const { name, default: initial, ...data } = type
  const inner = attachImpl(data, impl)
  const outer = attachImpl<TypeData>({ kind: 'reversed', desc: false, nullable: false, ordered: false, inner }, reversedImpl)
  return withData(outer, { ...(name === undefined ? {} : { name }), ...(initial === undefined ? {} : { default: initial }) })
}
