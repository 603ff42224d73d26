/** The first 32 bits of the MD5 digest, unsigned: its first 8 hex digits. Source: RFC 1321. */
export function md5Word(bytes: Uint8Array, length: number): number {
  const padded = new Uint8Array(((length + 72) >> 6) << 6)
  padded.set(bytes.subarray(0, length))
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, length << 3, true)
  view.setUint32(padded.length - 4, Math.floor(length / 2 ** 29), true)
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476])
  for (let block = 0; block < padded.length; block += 64) mix(state, view, block)
  view.setInt32(0, state[0] as number, true)
  return view.getUint32(0)
}

// Math.sin may differ between engines in its last bit; the nearest of these is 0.015 from an integer, so none can round otherwise.
const sines = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32))
const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

function mix(state: Int32Array, view: DataView, block: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let i = 0; i < 64; i++) {
    const round = i >> 4
    const [f, word] = step(round, i, b, c, d)
    const sum = (a + f + (sines[i] as number) + view.getInt32(block + word * 4, true)) | 0
    const shift = shifts[round * 4 + (i & 3)] as number
    a = d
    d = c
    c = b
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
}

function step(round: number, i: number, b: number, c: number, d: number): [mixed: number, word: number] {
  if (round === 0) return [(b & c) | (~b & d), i]
  if (round === 1) return [(d & b) | (~d & c), (5 * i + 1) & 15]
  if (round === 2) return [b ^ c ^ d, (3 * i + 5) & 15]
  return [c ^ (b | ~d), (7 * i) & 15]
}
