import { oneByteString } from '@rowkey/codec'

/** Bytes as URL-safe base64 without padding. */
export function toBase64url(bytes: Uint8Array): string {
  return btoa(oneByteString(bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The bytes of URL-safe base64, undefined for anything that `toBase64url` does not give. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  return toBase64url(bytes) === text ? bytes : undefined
}
