import { utf8Length, writeUtf8 } from '../utf8.js'

/** The message block in progress: sixteen 32-bit words, little-endian as MD5 counts them. */
const words = /* @__PURE__ */ new Int32Array(16)
/** The state after each block. */
const state = /* @__PURE__ */ new Int32Array(4)
let scratch = new Uint8Array(256)

/** The first 32 bits of the MD5 digest, unsigned: its first 8 hex digits. Source: RFC 1321. */
export function md5Word(bytes: Uint8Array, length: number): number {
  start()
  let at = 0
  for (; length - at >= 64; at += 64) {
    for (let i = 0; i < 16; i++) {
      const from = at + 4 * i
      words[i] =
        (bytes[from] as number) |
        ((bytes[from + 1] as number) << 8) |
        ((bytes[from + 2] as number) << 16) |
        ((bytes[from + 3] as number) << 24)
    }
    mix()
  }
  words.fill(0)
  for (let i = at; i < length; i++) words[(i - at) >> 2] = (words[(i - at) >> 2] as number) | ((bytes[i] as number) << (8 * (i & 3)))
  return finish(length - at, length)
}

/** The same of a text's UTF-8; short ASCII, the usual id, goes straight into the block. */
export function md5OfText(text: string): number {
  const { length } = text
  if (length < 56) {
    start()
    words.fill(0)
    let i = 0
    for (; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= 0x80) break
      words[i >> 2] = (words[i >> 2] as number) | (unit << (8 * (i & 3)))
    }
    if (i === length) return finish(length, length)
  }
  const size = utf8Length(text)
  if (size > scratch.length) scratch = new Uint8Array(2 * size)
  return md5Word(scratch, writeUtf8(scratch, 0, text, false))
}

function start(): void {
  state[0] = 0x67452301
  state[1] = 0xefcdab89
  state[2] = 0x98badcfe
  state[3] = 0x10325476
}

/** Ends the last block, which holds `used` bytes, with the length of all; returns the first word in the byte order of the hex digits. */
function finish(used: number, length: number): number {
  words[used >> 2] = (words[used >> 2] as number) | (0x80 << (8 * (used & 3)))
  if (used >= 56) {
    mix()
    words.fill(0)
  }
  words[14] = length << 3
  words[15] = Math.floor(length / 2 ** 29)
  mix()
  const word = state[0] as number
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0
}

// Math.sin may differ between engines in its last bit; the nearest of these is 0.015 from an integer, so none can round otherwise.
const sines = /* @__PURE__ */ Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32))

const turn = (sum: number, shift: number): number => (sum << shift) | (sum >>> (32 - shift))

/** One block. Four steps at a time, so that the four words need no moving and the shifts are constants. */
function mix(): void {
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  const at = (i: number, word: number): number => (sines[i] as number) + (words[word & 15] as number)
  for (let i = 0; i < 16; i += 4) {
    a = (b + turn(a + ((b & c) | (~b & d)) + at(i, i), 7)) | 0
    d = (a + turn(d + ((a & b) | (~a & c)) + at(i + 1, i + 1), 12)) | 0
    c = (d + turn(c + ((d & a) | (~d & b)) + at(i + 2, i + 2), 17)) | 0
    b = (c + turn(b + ((c & d) | (~c & a)) + at(i + 3, i + 3), 22)) | 0
  }
  for (let i = 16; i < 32; i += 4) {
    a = (b + turn(a + ((d & b) | (~d & c)) + at(i, 5 * i + 1), 5)) | 0
    d = (a + turn(d + ((c & a) | (~c & b)) + at(i + 1, 5 * i + 6), 9)) | 0
    c = (d + turn(c + ((b & d) | (~b & a)) + at(i + 2, 5 * i + 11), 14)) | 0
    b = (c + turn(b + ((a & c) | (~a & d)) + at(i + 3, 5 * i + 16), 20)) | 0
  }
  for (let i = 32; i < 48; i += 4) {
    a = (b + turn(a + (b ^ c ^ d) + at(i, 3 * i + 5), 4)) | 0
    d = (a + turn(d + (a ^ b ^ c) + at(i + 1, 3 * i + 8), 11)) | 0
    c = (d + turn(c + (d ^ a ^ b) + at(i + 2, 3 * i + 11), 16)) | 0
    b = (c + turn(b + (c ^ d ^ a) + at(i + 3, 3 * i + 14), 23)) | 0
  }
  for (let i = 48; i < 64; i += 4) {
    a = (b + turn(a + (c ^ (b | ~d)) + at(i, 7 * i), 6)) | 0
    d = (a + turn(d + (b ^ (a | ~c)) + at(i + 1, 7 * i + 7), 10)) | 0
    c = (d + turn(c + (a ^ (d | ~b)) + at(i + 2, 7 * i + 14), 15)) | 0
    b = (c + turn(b + (d ^ (c | ~a)) + at(i + 3, 7 * i + 21), 21)) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
}
