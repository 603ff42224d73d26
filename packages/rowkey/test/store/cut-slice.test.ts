import { type Bound, cutSlice, type Piece, type Row, type Value } from '#store/adapter'
import { desc, int8, nullable } from '#codec'
import { defineTable } from '#model'
import { shortened } from '@rowkey/servers/scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const Points = defineTable('points', {
  columns: { a: int8(), b: desc(int8()), c: nullable(int8(), { nulls: 'last' }) },
  key: ['a', 'b', 'c'],
})
const { layout } = Points
const numbers = [0, 1, 2, 3]
const keys: readonly Row[] = numbers
  .flatMap((a) => numbers.flatMap((b) => [null, ...numbers].map((c): Row => [a, b, c])))
  .toSorted((a, b) => layout.compareRows(a, b))

const bound = fc
  .tuple(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 3 }),
    fc.option(fc.integer({ min: 0, max: 3 })),
    fc.integer({ min: 0, max: 3 }),
    fc.boolean(),
  )
  .map(([a, b, c, length, after]): Bound => ({ prefix: [a, b, c].slice(0, length), edge: after ? 'after' : 'before' }))

/** By the piece's own words: equality, then one range in key order. */
function isIn(key: Row, { prefix, from, to }: Piece): boolean {
  const order = (at: number, value: Value): number => layout.column(at).compare(key[at] as Value, value)
  if (!prefix.every((value, at) => order(at, value) === 0)) return false
  const at = prefix.length
  if (from !== undefined && (order(at, from.value) < 0 || (order(at, from.value) === 0 && !from.inclusive))) return false
  return to === undefined || order(at, to.value) < 0 || (order(at, to.value) === 0 && to.inclusive)
}

test('a slice is cut into pieces that hold exactly its keys, each once, in scan order, at most 2n − 1', () => {
  let most = 0
  fc.assert(
    fc.property(bound, bound, fc.boolean(), (x, y, reverse) => {
      const order = layout.compareBounds(x, y)
      fc.pre(order !== 0)
      const [from, to] = order < 0 ? [x, y] : [y, x]
      const inside = keys.filter(
        (key) =>
          layout.compareBounds({ prefix: key, edge: 'before' }, from) >= 0 && layout.compareBounds({ prefix: key, edge: 'after' }, to) <= 0,
      )
      const pieces = cutSlice(Points, { bucket: 0, from, to, reverse })
      most = Math.max(most, pieces.length)
      const found = pieces.flatMap((piece) => (reverse ? keys.toReversed() : keys).filter((key) => isIn(key, piece)))
      expect(found).toEqual(reverse ? inside.toReversed() : inside)
    }),
    { numRuns: shortened(20_000), seed: 20_261_121 },
  )
  expect(most).toBe(2 * Points.keyLength - 1)
})

test('its example', () => {
  const Events = defineTable('events', { columns: { host: int8(), at: int8() }, key: ['host', 'at'] })
  const slice = { bucket: 0, from: { prefix: [1, 5], edge: 'before' }, to: { prefix: [3], edge: 'after' }, reverse: false } as const
  expect(cutSlice(Events, slice)).toEqual([
    { prefix: [1], from: { value: 5, inclusive: true } },
    { prefix: [], from: { value: 1, inclusive: false }, to: { value: 3, inclusive: true } },
  ])
})
