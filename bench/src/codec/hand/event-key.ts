import { end, readText, writeText } from './text.js'
import { word } from './word.js'

/** The key of W1. */
export interface EventKey {
  host: string
  event: string
  at: number
}

const lastInstant = 8.64e15

/** host, event, descending milliseconds: what one would write for this one layout, and as strict as rowkey is. */
export function writeEvent(target: Uint8Array, offset: number, host: string, event: string, instant: number): number {
  const end = write(target, offset, host, event, instant)
  if (end > target.length) throw new RangeError('no room')
  return end
}

export function encodeEvent(host: string, event: string, instant: number): Uint8Array {
  const key = Buffer.allocUnsafeSlow(host.length + event.length + 12) // right for ASCII
  const end = write(key, 0, host, event, instant)
  if (end === key.length) return key
  const longer = Buffer.allocUnsafeSlow(end)
  write(longer, 0, host, event, instant)
  return longer
}

/** What does not fit is dropped, as typed arrays do; the end is right all the same. */
function write(target: Uint8Array, offset: number, host: string, event: string, instant: number): number {
  const at = writeText(target, writeText(target, offset, host), event)
  if (typeof instant !== 'number' || !Number.isInteger(instant) || instant > lastInstant || instant < -lastInstant) {
    throw new RangeError('an instant is an integer within 8.64e15')
  }
  const high = ~(Math.floor(instant / 2 ** 32) ^ 0x80000000)
  const low = ~(instant >>> 0)
  target[at] = high >>> 24
  target[at + 1] = high >>> 16
  target[at + 2] = high >>> 8
  target[at + 3] = high
  target[at + 4] = low >>> 24
  target[at + 5] = low >>> 16
  target[at + 6] = low >>> 8
  target[at + 7] = low
  return at + 8
}

export function decodeEvent(bytes: Uint8Array): EventKey {
  const host = readText(bytes, 0)
  const event = readText(bytes, end)
  return { host, event, at: readInstant(bytes, end) }
}

export function decodeEventRow(bytes: Uint8Array): [string, string, number] {
  const host = readText(bytes, 0)
  const event = readText(bytes, end)
  return [host, event, readInstant(bytes, end)]
}

function readInstant(bytes: Uint8Array, at: number): number {
  if (at + 8 !== bytes.length) throw new RangeError('the key ends elsewhere')
  const high = ~word(bytes, at)
  const low = ~word(bytes, at + 4)
  const instant = (high ^ 0x80000000) * 2 ** 32 + (low >>> 0)
  if (instant > lastInstant || instant < -lastInstant) throw new RangeError('an instant is within 8.64e15')
  return instant
}
