import type { Cells, Kind } from './workloads.js'

/** Keys in ascending order. */
export interface AwkwardCase {
  readonly name: string
  readonly kinds: readonly Kind[]
  readonly ascending: readonly Cells[]
}

const long = 'x'.repeat(70)
const floats = (...numbers: readonly number[]): readonly Cells[] => numbers.map((number) => [number])

export const awkwardCases: readonly AwkwardCase[] = [
  {
    name: 'text that begins another text',
    kinds: ['text', 'text'],
    ascending: [
      ['', 'z'],
      ['a', 'z'],
      ['a!', 'a'],
      ['ab', 'a'],
      ['b', 'a'],
    ],
  },
  {
    name: 'NUL in a text',
    kinds: ['text', 'text'],
    ascending: [
      ['a', 'b'],
      ['a\0', 'a'],
      ['a\0\0', 'a'],
      ['a\0b', 'a'],
      ['a\x01', 'a'],
      ['b', 'a'],
    ],
  },
  {
    name: 'NUL in a text of 64 or more characters',
    kinds: ['text', 'text'],
    ascending: [
      [long, 'b'],
      [`${long}\0`, 'a'],
      [`${long}\0\0b`, 'a'],
      [`${long}\x01`, 'a'],
      [`${long}b`, 'a'],
    ],
  },
  {
    name: 'control characters first',
    kinds: ['text', 'text'],
    ascending: ['', '\x01', '\x03', '\x05', '\x1b', '\x1c', ' '].map((first) => [first, 'b']),
  },
  {
    name: 'text beyond U+FFFF by code point',
    kinds: ['text', 'text'],
    ascending: [
      ['\ufffd', 'a'],
      ['\u{10000}', 'a'],
      ['\u{1f600}', 'a'],
    ],
  },
  { name: 'lone surrogate', kinds: ['text', 'text'], ascending: [['\ud800x', 'a']] },
  {
    name: 'integers up to 2^53',
    kinds: ['integer'],
    ascending: floats(
      -(2 ** 53) + 1,
      -(2 ** 32),
      -65536,
      -256,
      -255,
      -1,
      0,
      1,
      250,
      251,
      252,
      255,
      256,
      65535,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 53 - 1,
    ),
  },
  {
    name: 'integers next to fractions',
    kinds: ['float'],
    ascending: floats(-1e300, -1.5, -1, -1e-300, 0, 1e-300, 0.5, 1, 2, 255.5, 256, 2 ** 53 - 1, 1e300),
  },
  { name: 'infinities', kinds: ['float'], ascending: floats(-Infinity, -1, 0, 1, Infinity) },
  { name: '-0', kinds: ['float'], ascending: floats(-0) },
  { name: 'NaN', kinds: ['float'], ascending: floats(Number.NaN) },
  {
    name: 'bigint of 64 bits',
    kinds: ['bigint'],
    ascending: [-(2n ** 63n), -(2n ** 53n) - 1n, -1n, 0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n].map((number) => [number]),
  },
  { name: 'bigint beyond 64 bits', kinds: ['bigint'], ascending: [-(2n ** 70n), -1n, 2n ** 64n, 2n ** 70n + 1n].map((number) => [number]) },
  {
    name: 'bytes before another column',
    kinds: ['bytes', 'int32'],
    ascending: [[0], [0, 0], [0, 255], [1], [255]].map((bytes) => [Buffer.from(bytes), 1]),
  },
  { name: 'null and booleans', kinds: ['nullable flag'], ascending: [[null], [false], [true]] },
]
