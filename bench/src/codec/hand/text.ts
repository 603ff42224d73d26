/** Where the last column that was read ends. */
export let end = 0

/** UTF-8 with 00 as 00 01, then 00 00; returns the offset after it. What does not fit is dropped, as typed arrays do. */
export function writeText(target: Uint8Array, at: number, text: string): number {
  if (typeof text !== 'string') throw new TypeError('a text is a string')
  const length = text.length
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0 || unit > 0x7f) return writeRest(target, at + i, text, i)
    target[at + i] = unit
  }
  at += length
  target[at] = 0
  target[at + 1] = 0
  return at + 2
}

function writeRest(target: Uint8Array, at: number, text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      target[at++] = unit
      if (unit === 0) target[at++] = 1
    } else if (unit < 0x800) {
      target[at++] = 0xc0 | (unit >> 6)
      target[at++] = 0x80 | (unit & 0x3f)
    } else if ((unit & 0xf800) === 0xd800) {
      const low = i + 1 < text.length ? text.charCodeAt(++i) : 0
      if (unit > 0xdbff || (low & 0xfc00) !== 0xdc00) throw new RangeError('a text has no lone surrogate')
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff)
      target[at++] = 0xf0 | (point >> 18)
      target[at++] = 0x80 | ((point >> 12) & 0x3f)
      target[at++] = 0x80 | ((point >> 6) & 0x3f)
      target[at++] = 0x80 | (point & 0x3f)
    } else {
      target[at++] = 0xe0 | (unit >> 12)
      target[at++] = 0x80 | ((unit >> 6) & 0x3f)
      target[at++] = 0x80 | (unit & 0x3f)
    }
  }
  target[at] = 0
  target[at + 1] = 0
  return at + 2
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One call of String.fromCharCode with exactly as many arguments as there are bytes. */
const makeFromAscii = new Function(
  `const f = String.fromCharCode
  return (b, p, n) => { switch (n) { ${Array.from({ length: 33 }, (_, n) => `case ${n}: return f(${Array.from({ length: n }, (_, i) => `b[p + ${i}]`).join()})`).join('\n')} } }`,
) as () => (bytes: Uint8Array, from: number, length: number) => string
const fromAscii = makeFromAscii()

/** The text that begins at `at`; {@link end} is then after its terminator. */
export function readText(bytes: Uint8Array, at: number): string {
  const { length } = bytes
  let i = at
  while (i < length) {
    const byte = bytes[i] as number
    if (byte === 0 || byte > 0x7f) break
    i++
  }
  if (i + 1 >= length || bytes[i] !== 0 || bytes[i + 1] !== 0 || i - at > 32) return readRest(bytes, at, i)
  end = i + 2
  return fromAscii(bytes, at, i - at)
}

/** The same for texts that are long, not ASCII or malformed; nothing ends before `i`. */
function readRest(bytes: Uint8Array, at: number, i: number): string {
  let escapes = 0
  for (; ; i++) {
    if (i + 1 >= bytes.length) throw new RangeError('a text has no end')
    if (bytes[i] !== 0) continue
    const next = bytes[i + 1] as number
    if (next === 0) break
    if (next !== 1) throw new RangeError('00 is followed by 00 or 01')
    escapes++
    i++
  }
  end = i + 2
  return decoder.decode(escapes === 0 ? bytes.subarray(at, i) : unescaped(bytes, at, i, escapes))
}

function unescaped(bytes: Uint8Array, from: number, to: number, escapes: number): Uint8Array {
  const plain = new Uint8Array(to - from - escapes)
  for (let i = from, k = 0; i < to; i++, k++) {
    plain[k] = bytes[i] as number
    if (bytes[i] === 0) i++
  }
  return plain
}
