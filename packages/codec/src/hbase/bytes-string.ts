import { readUtf8, utf8Length, writeUtf8 } from '../encodings/utf8.js'
import { bytesForm, type BytesForm } from './bytes-form.js'

/**
 * `Bytes.toBytes(String)`: UTF-8. Ordered by code point. Java writes `?` for half of a surrogate pair; here it is refused.
 *
 * @example
 * ```ts
 * toHex(bytesString.encode('web')) //=> '776562'
 * ```
 */
export const bytesString: BytesForm<string> = bytesForm<string>('bytesString', {
  ordered: true,
  fits: (given): given is string => typeof given === 'string' && given.isWellFormed(),
  wants: 'well-formed text (no lone surrogate)',
  write(value) {
    const bytes = new Uint8Array(utf8Length(value))
    writeUtf8(bytes, 0, value, false)
    return bytes
  },
  read(reader) {
    const from = reader.take(reader.bytes.length)
    return readUtf8(reader.cut(from, 0)) ?? reader.fail('the text is not UTF-8')
  },
})
