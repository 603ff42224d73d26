import { expect, test } from 'vitest'
import { RowTimestamps } from '../src/client/timestamps.js'

const [a, b] = [Uint8Array.of(1), Uint8Array.of(2)]

test('a write after a delete of the same row is later than the delete, also within a millisecond, and however often', () => {
  const timestamps = new RowTimestamps(() => 1000)
  let before = 0n
  for (let i = 0; i < 1000; i++) {
    const deleted = timestamps.ofDelete(a)
    const put = timestamps.ofPut(a)
    expect(deleted).toBeGreaterThanOrEqual(before) // or it would leave what it deletes
    expect(put).toBeGreaterThan(deleted)
    before = put
  }
  expect(timestamps.ofPut(b)).toBe(1000n)
})

test('a clock that goes back does not put writes before a delete', () => {
  let now = 5000
  const timestamps = new RowTimestamps(() => now)
  const deleted = timestamps.ofDelete(a)
  now = 4000
  expect(timestamps.ofPut(a)).toBeGreaterThan(deleted)
})

test('what the clock has passed is forgotten', () => {
  let now = 0
  const timestamps = new RowTimestamps(() => now)
  for (let i = 0; i < 10_000; i++) timestamps.ofDelete(Uint8Array.of(i >> 8, i & 255))
  now = 10_000
  timestamps.ofDelete(a)
  expect((timestamps as unknown as { last: Map<string, number> }).last.size).toBe(1)
})

test('what is computed from a row is later than the row, also where this clock is behind', () => {
  const timestamps = new RowTimestamps(() => 1000)
  timestamps.saw(a, 5000n)
  expect(timestamps.ofPut(a)).toBe(5001n)
  timestamps.saw(b, 10n)
  expect(timestamps.ofPut(b)).toBe(1000n)
})

test('a clock that goes back behind what was forgotten does not put writes before a delete', () => {
  let now = 5000
  const timestamps = new RowTimestamps(() => now)
  const deleted = timestamps.ofDelete(a)
  now = 10_000
  timestamps.ofPut(b) // forgets the delete
  now = 4000
  expect(timestamps.ofPut(a)).toBeGreaterThan(deleted)
})
