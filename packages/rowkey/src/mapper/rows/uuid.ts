import { newUlid } from './ulid.js'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A random UUID, version 4; `ofTime`: one of version 7 of epoch milliseconds `now`, whose order is that of time. Within one process and
 * millisecond those of version 7 ascend.
 *
 * Source: RFC 9562, sections 5.4 and 5.7.
 *
 * @throws RowkeyError `INVALID_OPTION` for a time before 1970 or after 10889
 */
export function newUuid(now: number, ofTime: boolean): string {
  if (!ofTime) return text(crypto.getRandomValues(new Uint8Array(16)), 4)
  // The 128 bits of a ULID: the time, and 80 random bits of which six give way to version and variant.
  let bits = 0n
  for (const digit of newUlid(now)) bits = (bits << 5n) | BigInt(digits.indexOf(digit))
  const low = bits & ((1n << 62n) - 1n)
  const high = (bits >> 68n) & 0xfffn
  const placed = ((bits >> 80n) << 80n) | (high << 64n) | low
  return text(
    Uint8Array.from({ length: 16 }, (_, i) => Number((placed >> BigInt(8 * (15 - i))) & 0xffn)),
    7,
  )
}

function text(bytes: Uint8Array, version: 4 | 7): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
