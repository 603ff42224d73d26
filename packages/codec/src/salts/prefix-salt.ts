import type { ColumnCodec } from '../encodings/column-codec.js'
import type { Salt } from './salt-data.js'
import { view } from '../values/built-in.js'
import { integerKinds } from '../values/integer-range.js'
import { hashed, hashInput } from './hash-input.js'
import { md5OfText, md5Word } from './md5.js'
import { kindOf, type SaltForm, type SaltKind } from './salt-kind.js'

/** One column that a user would hash as text. */
function isText(inputs: readonly ColumnCodec[]): boolean {
  const [only] = inputs
  if (only === undefined || inputs.length > 1) return false
  return ['text', 'paddedText', 'separatedText'].includes(kindOf(only)) || integerKinds[kindOf(only)] !== undefined
}

const dropped = ({ digits = 4 }: Salt): number => 32 - 4 * digits

/** hashPrefix({ of, digits }): KEY-24. */
export const prefixSalt: SaltKind = {
  form: ({ digits = 4 }) => hexForm(digits),
  text: ({ digits }, columns) => `hashPrefix(${columns}; digits ${digits})`,
  valueOf(salt, positions, inputs) {
    const drop = dropped(salt)
    const [first = 0] = positions
    if (isText(inputs)) return (row) => md5OfText(String(row[first])) >>> drop
    const fill = hashInput(
      positions,
      inputs.map(({ ascending }) => ascending),
    )
    return (row) => {
      const length = fill(row) // first: it may replace the array
      return md5Word(hashed, length) >>> drop
    }
  },
  code(salt, [first], inputs) {
    if (!isText(inputs)) return undefined
    return { uses: { md5OfText }, marks: [], value: `md5OfText(String(v${first}))>>>${dropped(salt)}` }
  },
}

/** The lowest hex digit as lower-case ASCII. */
const lastDigit = (value: number): number => (value & 15) + ((value & 15) < 10 ? 0x30 : 0x57)

function hexForm(digits: number): SaltForm {
  return {
    bytes: digits,
    write(target, at, value) {
      for (let i = digits - 1; i >= 0; i--, value >>>= 4) target[at + i] = lastDigit(value)
    },
    read(reader) {
      reader.column = 'salt'
      const from = reader.take(digits)
      const hex = String.fromCharCode(...view(reader.bytes, from, from + digits))
      return /^[0-9a-f]+$/.test(hex) ? Number.parseInt(hex, 16) : reader.fail('a hash prefix is lower-case hex')
    },
  }
}
