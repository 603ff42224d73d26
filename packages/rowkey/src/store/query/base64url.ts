const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Bytes as URL-safe base64 without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at
    const three = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    text += (digits[three >> 18] as string) + (digits[(three >> 12) & 63] as string)
    if (left > 1) text += digits[(three >> 6) & 63] as string
    if (left > 2) text += digits[three & 63] as string
  }
  return text
}

/** The bytes of URL-safe base64, undefined for anything that `toBase64url` does not return. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  return toBase64url(bytes) === text ? bytes : undefined
}
