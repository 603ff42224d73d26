import { RowkeyError } from '#codec'
import { show } from '#codec/internal'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

let last = { at: -1, time: '', random: '' }

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
  last = now === last.at ? { ...last, random: successor(last.random) } : { at: now, time: timeText(now), random: chance() }
  return last.time + last.random
}

function timeText(now: number): string {
  let time = ''
  for (let left = now, i = 0; i < 10; i++, left = Math.floor(left / 32)) time = (digits[left % 32] as string) + time
  return time
}

function chance(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => digits[byte & 31]).join('')
}

/** Adds one, in base 32. After the last of 2^80 values it starts again with a random one, rather than with a time that is not now. */
function successor(random: string): string {
  let at = random.length - 1
  while (random[at] === 'Z') at--
  if (at < 0) return chance()
  return random.slice(0, at) + (digits[digits.indexOf(random[at] as string) + 1] as string) + '0'.repeat(random.length - 1 - at)
}

/** The epoch milliseconds of a ULID; undefined for a text that is none. */
export function timeOfUlid(ulid: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(ulid)) return undefined
  return Array.from(ulid.slice(0, 10)).reduce((time, digit) => time * 32 + digits.indexOf(digit), 0)
}
