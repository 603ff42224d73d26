import { fromEscapedText, fromHex, toEscapedText, toHex } from 'rowkey/codec'

/** How a rowkey is written as text. */
export type KeyForm = 'hex' | 'escaped' | 'base64'
export const keyForms: readonly KeyForm[] = Object.freeze(['hex', 'escaped', 'base64'])

/** A rowkey, and the form of the text that it was. */
export interface ReadKey {
  readonly form: KeyForm
  readonly bytes: Uint8Array
}

/**
 * A rowkey as text of one form.
 *
 * @example
 * ```ts
 * keyText(Uint8Array.of(97, 0), 'escaped') //=> 'a\\x00'
 * ```
 */
export function keyText(bytes: Uint8Array, form: KeyForm): string {
  if (form === 'hex') return toHex(bytes)
  return form === 'escaped' ? toEscapedText(bytes) : Buffer.from(bytes).toString('base64')
}

/**
 * What the text of a rowkey can mean, the most likely form first: eight hex digits could also be six bytes of base64 or eight of
 * ASCII. Empty for text of no form.
 *
 * @param only the one form that it can have
 */
export function readKey(text: string, only?: KeyForm): readonly ReadKey[] {
  const forms = only === undefined ? keyForms : [only]
  return forms.flatMap((form) => {
    const bytes = readers[form](text)
    return bytes === undefined ? [] : [{ form, bytes }]
  })
}

const readers: Readonly<Record<KeyForm, (text: string) => Uint8Array | undefined>> = {
  hex(text) {
    const digits = text.replace(/^0x/i, '')
    return digits.length > 0 && /^(?:[0-9a-f]{2})+$/i.test(digits) ? fromHex(digits) : undefined
  },
  escaped(text) {
    return /^(?:[\x20-\x5b\x5d-\x7e]|\\x[0-9a-f]{2})+$/i.test(text) ? fromEscapedText(text) : undefined
  },
  base64(text) {
    const isWhole = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && (text.endsWith('=') ? text.length % 4 === 0 : text.length % 4 !== 1)
    return isWhole ? new Uint8Array(Buffer.from(text, 'base64')) : undefined // which also reads its form for URLs
  },
}
