import { toEscapedText, toHex } from 'rowkey/codec'
import { base64Of, readBase64 } from './base64-text.js'
import { readEscaped } from './escaped-text.js'
import { readHex } from './hex-text.js'
import type { Unread } from './unread.js'

/** How a rowkey is written as text. */
export type KeyForm = 'hex' | 'escaped' | 'base64'
export const keyForms: readonly KeyForm[] = Object.freeze(['hex', 'escaped', 'base64'])

/** A rowkey, and the form of the text that it was. */
export interface ReadKey {
  /** `attribute`: bytes that a store keeps for a part of the key, with a byte of its own before them. */
  readonly form: KeyForm | 'attribute'
  readonly bytes: Uint8Array
  /** How many of the bytes a store keeps as the partition, if the text says so. */
  readonly partition?: number
}

/** What a text is taken for. */
export type Reading =
  | {
      /** The rowkeys that it can be. Several that a table takes are ambiguous, unless the text is padded. */
      readonly keys: readonly ReadKey[]
      /** Whether the first key that a table takes is meant. */
      readonly isPadded?: boolean
      /** What it is not taken for, because it is written like something else. */
      readonly others?: readonly ReadKey[]
    }
  | Unread

/** What is said of a text that has none of the forms. */
export const notText = 'this is neither hexadecimal digits, escaped text nor base64'

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
  return form === 'escaped' ? toEscapedText(bytes) : base64Of(bytes)
}

const readers: Readonly<Record<KeyForm, (text: string) => Uint8Array | Unread | undefined>> = {
  hex: (text) => readHex(text)?.read,
  escaped: readEscaped,
  base64: (text) => readBase64(text)?.read,
}

/**
 * What the text of a rowkey alone is taken for. What is written like hexadecimal digits or like base64 is never read as plain text, because then one wrong
 * digit would make another key of it.
 *
 * @param only the one form that it can have
 */
export function readKey(text: string, only?: KeyForm): Reading {
  if (only !== undefined) {
    const read = readers[only](text) ?? { fault: notText }
    return 'fault' in read ? read : { keys: [{ form: only, bytes: read }] }
  }
  const hex = readHex(text)
  const escaped = readEscaped(text)
  const base64 = readBase64(text)
  const keysOf = (form: KeyForm, read: Uint8Array | Unread | undefined): readonly ReadKey[] =>
    read === undefined || 'fault' in read ? [] : [{ form, bytes: read }]
  if (hex?.isSure) {
    if ('fault' in hex.read) return orText(hex.read, escaped)
    return { keys: keysOf('hex', hex.read), others: [...keysOf('escaped', escaped), ...keysOf('base64', base64?.read)] }
  }
  if (base64?.isSure) {
    if ('fault' in base64.read) return orText(base64.read, escaped)
    return { keys: keysOf('base64', base64.read), others: keysOf('escaped', escaped) }
  }
  const keys = [...keysOf('hex', hex?.read), ...keysOf('escaped', escaped), ...keysOf('base64', base64?.read)]
  if (keys.length > 0) return { keys }
  return escaped !== undefined && 'fault' in escaped ? escaped : { fault: notText }
}

/** A fault, and the way out for what is text all the same. */
const orText = ({ fault }: Unread, escaped: Uint8Array | Unread | undefined): Unread =>
  escaped === undefined || 'fault' in escaped ? { fault } : { fault: `${fault}. If it is text, say so: --from escaped` }
