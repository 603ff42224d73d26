// Tested by layout.test.ts.
import type { TypeData, Value } from 'rowkey/codec'
import { columnCodec, typeFacts, type ColumnCodec } from 'rowkey/internal'

/** Values that begin and end differently, so that what their bytes have in common at the end is not theirs. */
const different: readonly Value[] = ['w', '1', 'ab', 7, 12, 7n, 12n, Uint8Array.of(1), Uint8Array.of(2, 5)]

/**
 * The bytes that end a column of variable width in a key, as hex. Empty for one that needs none: its width is fixed, or it ends with the key, or its
 * values are codes of which none begins another one.
 *
 * @example
 * ```ts
 * endMarker(text()) //=> '0000'
 * ```
 */
export function endMarker(type: TypeData): string {
  const codec = columnCodec('', type)
  const { accepts, openEnded } = typeFacts(type)
  if (codec.minBytes === codec.maxBytes || openEnded || type.codes !== undefined || type.pad !== undefined) return ''
  const encodings = different.filter(accepts).map((value) => encoded(codec, value))
  const [first = ''] = encodings
  let end = first
  while (end !== '' && !encodings.every((each) => each.endsWith(end))) end = end.slice(2)
  return encodings.length > 1 ? end : ''
}

function encoded(codec: ColumnCodec, value: Value): string {
  const bytes = Buffer.alloc(codec.size(value))
  codec.write(bytes, 0, value)
  return bytes.toString('hex')
}
