import { readUtf8, utf8Of } from '#codec/internal'
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
  write: utf8Of,
  read(reader) {
    return readUtf8(reader.copyFrom(reader.advance(reader.left))) ?? reader.fail('the text is not UTF-8')
  },
})
