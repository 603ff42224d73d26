import type { Unread } from './unread.js'

/** What a text is as base64. */
export interface Base64Text {
  readonly read: Uint8Array | Unread
  /** Whether it is hardly anything else. */
  readonly isSure: boolean
}

export const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Words are seldom so long, and have seldom all kinds of characters. */
const sureLength = 16

/** Base64, also in its form for URLs and without padding. Undefined for what is not written like it. */
export function readBase64(text: string): Base64Text | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined
  const digits = text.replace(/=+$/, '')
  const isPadded = digits !== text
  const isMixed = /[A-Z]/.test(digits) && /[a-z]/.test(digits) && /[0-9+/]/.test(digits)
  const isSure =
    (isPadded && digits.length >= 2) || (isMixed && text.length >= sureLength && text.length % 4 === 0 && !text.startsWith('/'))
  if (isPadded ? text.length % 4 !== 0 : text.length % 4 === 1)
    return isPadded && digits.length >= 6
      ? { read: { fault: `${text.length} characters are no whole base64, so some are missing` }, isSure }
      : undefined
  const bytes = new Uint8Array(Buffer.from(digits, 'base64'))
  const isWhole = base64Of(bytes).replace(/=+$/, '') === digits.replaceAll('-', '+').replaceAll('_', '/')
  return { read: isWhole ? bytes : { fault: 'its last base64 digit has bits that are in no byte, so a digit is wrong or missing' }, isSure }
}
