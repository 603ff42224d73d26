import { word } from './word.js'

/** The key of W5. */
export interface ScoreKey {
  id: Uint8Array
  score: number
}

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
const low = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1
const high = 1 - low

/** 16 bytes and a float, both ascending: what one would write for this one layout, and as strict as rowkey is. */
export function writeScore(target: Uint8Array, at: number, id: Uint8Array, score: number): number {
  if (!(id instanceof Uint8Array) || id.length !== 16) throw new TypeError('an id has 16 bytes')
  if (typeof score !== 'number') throw new TypeError('a score is a number')
  if (at + 24 > target.length) throw new RangeError('no room')
  for (let i = 0; i < 16; i++) target[at + i] = id[i] as number
  float[0] = score + 0 // -0 + 0 is 0
  let upper = words[high] as number
  let lower = words[low] as number
  if (score !== score) {
    upper = 0xfff80000
    lower = 0
  } else if (upper >= 0x80000000) {
    upper = ~upper
    lower = ~lower
  } else {
    upper ^= 0x80000000
  }
  target[at + 16] = upper >>> 24
  target[at + 17] = upper >>> 16
  target[at + 18] = upper >>> 8
  target[at + 19] = upper
  target[at + 20] = lower >>> 24
  target[at + 21] = lower >>> 16
  target[at + 22] = lower >>> 8
  target[at + 23] = lower
  return at + 24
}

export function encodeScore(id: Uint8Array, score: number): Uint8Array {
  const key = Buffer.allocUnsafeSlow(24)
  writeScore(key, 0, id, score)
  return key
}

export function decodeScore(bytes: Uint8Array): ScoreKey {
  return { id: readId(bytes), score: readFloat(bytes) }
}

export function decodeScoreRow(bytes: Uint8Array): [Uint8Array, number] {
  return [readId(bytes), readFloat(bytes)]
}

/** Shares no memory with the key. */
function readId(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== 24) throw new RangeError('a key has 24 bytes')
  const id = new Uint8Array(16)
  for (let i = 0; i < 16; i++) id[i] = bytes[i] as number
  return id
}

function readFloat(bytes: Uint8Array): number {
  let upper = word(bytes, 16)
  let lower = word(bytes, 20)
  if (upper < 0) {
    upper ^= 0x80000000
  } else {
    upper = ~upper
    lower = ~lower
  }
  words[high] = upper
  words[low] = lower
  const score = float[0] as number
  if (score === 0 && upper !== 0) throw new RangeError('-0 is written as 0')
  if (score !== score && (upper !== 0x7ff80000 || lower !== 0)) throw new RangeError('NaN has one form')
  return score
}
