import type { Page, Row } from '#store/adapter'
import { int32 } from '#codec'
import { defineTable } from '#model'
import { expect, test } from 'vitest'
import { MergeSource } from '../../src/store/scan/merge-source.js'
import { Positions } from '../../src/store/scan/row-source.js'
import { streamSource } from '../../src/store/scan/stream-source.js'
import { page, pagesOf } from '../../../../test/kit/wrapped.js'

const Numbers = defineTable('numbers', { columns: { n: int32() }, key: ['n'] })

/** A merge of buckets that give these pages. */
function merge(buckets: readonly (readonly Page[])[], reverse = false): MergeSource {
  const whole = { from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' } } as const
  const streams = buckets.map((_, bucket) => ({ bucket, ranges: [whole] }))
  const open = ({ bucket }: { bucket: number }) => pagesOf(...(buckets[bucket] ?? []))
  // A number is in the bucket whose pages name it.
  const bucketOf = ([n]: Row): number =>
    buckets.findIndex((pages) => pages.some((each) => each.last?.[0] === n || each.rows.some(([other]) => other === n)))
  const schema = { ...Numbers, layout: { ...Numbers.layout, bucketOf } }
  const positions = new Positions(schema, reverse)
  const inputs = streams.map((stream) => ({
    bucket: stream.bucket,
    source: streamSource(schema, stream, { positions, filter: undefined, open, ahead: false }),
  }))
  return new MergeSource(schema, inputs, positions, { first: 2, max: 8, streams: inputs.length, exact: false })
}

/** What each `next()` gives: rows, and up to where everything has been seen. */
async function steps(of: MergeSource, want = 100): Promise<[rows: number[], last: number | undefined][]> {
  const seen: [number[], number | undefined][] = []
  for (;;) {
    const next = await of.next(want)
    if (next === undefined) return seen
    seen.push([next.rows.map(([n]) => n as number), next.last?.[0] as number | undefined])
  }
}

const passed = (last: number): Page => ({ rows: [], examined: 1, last: [last] })
const rows = (...numbers: number[]): Page => page(...numbers.map((n): Row => [n]))

// What a merge says once a bucket has ended may lie further back than what it said before; whoever resumes reads a little twice.
const first = async (of: MergeSource): Promise<unknown> => (await steps(of))[0]

test('R17: where rows are few, a merge stands at the lowest of what its empty buckets have examined', async () => {
  expect(await first(merge([[passed(10)], [passed(5)]]))).toEqual([[], 5])
  expect(await first(merge([[passed(5)], [passed(10)]]))).toEqual([[], 5])
  expect(await first(merge([[passed(5)], [passed(10)], [page()]]))).toEqual([[], undefined])
})

test('R17: backwards it is the highest', async () => {
  expect(await first(merge([[passed(10)], [passed(5)]], true))).toEqual([[], 10])
  expect(await first(merge([[passed(5)], [passed(10)]], true))).toEqual([[], 10])
})

test('R17: never before the last row taken, never past a row that waits', async () => {
  expect(await first(merge([[passed(10)], [rows(30)]]))).toEqual([[], 10])
  expect(await steps(merge([[rows(1, 7)], [rows(3), passed(9)]]))).toEqual([
    [[1, 3], 3],
    [[7], 7], // 7 is certain, as the other bucket has been seen up to 9
    [[], 7],
  ])
})

test('R14: each round asks all empty buckets at once, and gives what is certain', async () => {
  expect(
    await steps(
      merge([
        [rows(1, 4), rows(5)],
        [rows(2, 3), rows(6)],
      ]),
      3,
    ),
  ).toEqual([
    [[1, 2, 3], 3],
    [[4], 4],
    [[5], 5],
    [[6], 6],
    [[], 6],
  ])
})
