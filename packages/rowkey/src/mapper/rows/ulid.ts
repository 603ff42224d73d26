import { RowkeyError } from '#codec'
import { show } from '#codec/internal'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

let last = { at: -1, random: [] as number[] }

/**
 * A ULID of epoch milliseconds `now`: 10 digits of time, 16 random ones. Within one process and millisecond they ascend, as the ULID
 * specification requires: the random part of the last one plus one. If the clock goes back, its lower time is used, with a new random part.
 *
 * @throws RowkeyError `INVALID_OPTION` for a time before 1970 or after 10889
 */
export function newUlid(now: number): string {
  if (now < 0 || now >= 2 ** 48) {
    const message = `clock() returned ${now}, which no ULID can hold. Return a time between 1970 and 10889.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'clock', value: show(now) })
  }
  const random = now === last.at ? successor(last.random) : chance()
  last = { at: now, random }
  let time = ''
  for (let left = now, i = 0; i < 10; i++, left = Math.floor(left / 32)) time = (digits[left % 32] as string) + time
  return time + random.map((digit) => digits[digit]).join('')
}

function chance(): number[] {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte & 31)
}

/** Adds one, in base 32. After the last of 2^80 values it starts again with a random one, rather than with a time that is not now. */
function successor(random: readonly number[]): number[] {
  const at = random.findLastIndex((digit) => digit < 31)
  return at < 0 ? chance() : random.map((digit, i) => (i < at ? digit : i === at ? digit + 1 : 0))
}

/** The epoch milliseconds of a ULID; undefined for a text that is none. */
export function timeOfUlid(ulid: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(ulid)) return undefined
  return Array.from(ulid.slice(0, 10)).reduce((time, digit) => time * 32 + digits.indexOf(digit), 0)
}
