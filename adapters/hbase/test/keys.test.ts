import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowRange } from '../src/keys.js'

const longest = 4
const row = fc
  .uint8Array({ minLength: 1, maxLength: longest, min: 0, max: 255 })
  .map((bytes) => bytes.map((byte) => [0, 1, 0xfe, 0xff][byte % 4] as number))
const bound = fc
  .uint8Array({ minLength: 0, maxLength: longest + 3 })
  .map((bytes) => bytes.map((byte) => [0, 1, 0xfe, 0xff][byte % 4] as number))
const compare = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b)

/** What the server returns for a scan: its start is inclusive and its stop exclusive, in either direction. */
function scanned(
  rows: readonly Uint8Array[],
  { start, stop }: { start: Uint8Array | undefined; stop: Uint8Array | undefined },
  reverse: boolean,
): readonly Uint8Array[] {
  const order = (a: Uint8Array, b: Uint8Array): number => (reverse ? compare(b, a) : compare(a, b))
  return rows
    .filter((each) => (start === undefined || order(each, start) >= 0) && (stop === undefined || order(each, stop) < 0))
    .toSorted(order)
}

test('a range in either direction has exactly the rows between its bounds, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), bound, fc.option(bound), fc.boolean(), (rows, from, to, reverse) => {
      const wanted = rows
        .filter((each) => compare(each, from) >= 0 && (to === null || compare(each, to) < 0))
        .toSorted((a, b) => (reverse ? compare(b, a) : compare(a, b)))
      const range = rowRange(from, to, reverse, longest)
      expect(range === undefined ? [] : scanned(rows, range, reverse)).toEqual(wanted)
      // The server takes a scan whose start is its stop for a get, and an empty bound for an open end.
      if (range !== undefined)
        expect(range.start === undefined || range.stop === undefined || compare(range.start, range.stop) !== 0).toBe(true)
      for (const end of [range?.start, range?.stop]) expect(end === undefined || (end.length > 0 && end.length <= longest + 1)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('nothing is after the end of a table', () => {
  expect(rowRange(null, null, false)).toBeUndefined()
  expect(rowRange(new Uint8Array(), null, true)).toEqual({ start: undefined, stop: undefined })
})
