// Tested by salt.test.ts.
import type { ColumnCodec } from '../type/column-codec.js'
import { checkOptions } from '../check.js'
import { show } from '../show.js'
import { attachImpl, typeImpl } from '../type/type-impl.js'
import { md5OfText, md5Word } from './md5.js'
import { hashOf, invalidSalt, saltColumns, saltSeparator, separatorText, type Salt, type SaltEncoding, type SaltImpl } from './salt.js'

/**
 * The guides' `md5(userid).substring(0, 4)` before the key: the first hex digits of an MD5, as lower-case ASCII.
 *
 * Input: the UTF-8 text of one text column or the decimal digits of one integer column (also inside paddedText, separatedText,
 * reversed); for anything else the encoded columns, ascending.
 * A scan that does not bind all of `of` would read 16^digits prefixes, so it is refused.
 *
 * `separator` is text that follows the digits, as in `md5(userid).substring(0, 4) + '_' + …`.
 *
 * @throws RowkeyError `INVALID_LAYOUT` if `digits` is not from 1 to 8, or `separator` is not text of 1 to 8 UTF-16 units.
 * @example
 * ```ts
 * const layout = keyLayout([['user', text()]], { salt: hashPrefix({ of: 'user', digits: 4 }) })
 * toHex(layout.encode({ user: 'abc' })) //=> '393030316162630000'
 * ```
 */
export function hashPrefix<const Of extends string>(options: {
  readonly of: Of | readonly Of[]
  readonly digits?: number
  readonly separator?: string
}): Salt<Of> {
  checkOptions('hashPrefix()', options, ['of', 'digits', 'separator'], invalidSalt)
  const { digits = 4 } = options
  if (!Number.isInteger(digits) || digits < 1 || digits > 8) {
    throw invalidSalt(`hashPrefix() cannot have ${show(digits)} digits. Give 1 to 8.`)
  }
  const of = saltColumns('hashPrefix', options.of)
  const separator = saltSeparator('hashPrefix', options.separator)
  return attachImpl({ kind: 'hashPrefix', of, count: 16 ** digits, digits, ...separator }, hashPrefixImpl)
}

/** Whether the input is one column that a user would hash as text. */
function isText([only, ...others]: readonly ColumnCodec[]): boolean {
  return only !== undefined && others.length === 0 && typeImpl(only.type).hashesAsText?.(only.type) === true
}

const dropped = ({ digits = 4 }: Salt): number => 32 - 4 * digits

/** hashPrefix({ of, digits }): KEY-24. */
export const hashPrefixImpl: SaltImpl = {
  encoding: ({ digits = 4 }) => hexEncoding(digits),
  fromJSON: ({ of, digits, separator }) =>
    hashPrefix({ of, ...(digits === undefined ? {} : { digits }), ...(separator === undefined ? {} : { separator }) }),
  code: ({ of, digits, separator }) => ['hashPrefix', { of, digits: digits === 4 ? undefined : digits, separator }],
  text: (salt, columns) => `hashPrefix(${columns}; digits ${salt.digits}${separatorText(salt)})`,
  valueOf(salt, positions, inputs) {
    const drop = dropped(salt)
    const [first = 0] = positions
    if (isText(inputs)) return (row) => md5OfText(String(row[first])) >>> drop
    const encodings = inputs.map(({ ascending }) => ascending)
    return hashOf(positions, encodings, (bytes, length) => md5Word(bytes, length) >>> drop)
  },
  compile(salt, [first = 0], inputs) {
    if (!isText(inputs)) return undefined
    return { uses: { md5OfText }, marks: [], value: (canonical) => `md5OfText(String(${canonical(first)}))>>>${dropped(salt)}` }
  },
}

/** The lowest hex digit as lower-case ASCII. */
const lastDigit = (value: number): number => (value & 15) + ((value & 15) < 10 ? 0x30 : 0x57)

function hexEncoding(digits: number): SaltEncoding {
  return {
    bytes: digits,
    write(target, at, value) {
      for (let i = digits - 1; i >= 0; i--, value >>>= 4) target[at + i] = lastDigit(value)
    },
    read(reader) {
      const hex = String.fromCharCode(...reader.copyFrom(reader.advance(digits)))
      return /^[0-9a-f]+$/.test(hex) ? Number.parseInt(hex, 16) : reader.fail('a hash prefix is lower-case hex')
    },
  }
}
