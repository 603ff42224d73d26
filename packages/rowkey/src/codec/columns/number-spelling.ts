import type { Encoding, Spelling, Storage } from '../type/type-impl.js'

export type NumberStorage = Extract<Storage, { readonly class: 'int' | 'bigint' }>

/** The integer that canonical decimal text names: no plus, no leading zeros, no -0, so that it comes back as it was. */
export function bigintOf(given: unknown): bigint | undefined {
  return typeof given === 'string' && given.length <= 20 && /^(?:0|-?[1-9]\d*)$/.test(given) ? BigInt(given) : undefined
}

/** The decimal digits of the numbers that a storage holds. */
export const numberSpelling = ({ class: stored, min, max }: NumberStorage, encoding: Encoding<string>): Spelling => ({
  write: String,
  read(text) {
    const number = bigintOf(text)
    if (number === undefined || number < min || number > max) return undefined
    return stored === 'bigint' ? number : Number(number)
  },
  encoding,
})
