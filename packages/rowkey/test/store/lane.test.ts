import type { Page, Row } from '#store/adapter'
import { int32 } from '#codec'
import { defineTable } from '#model'
import { expect, test } from 'vitest'
import { Lane } from '../../src/store/scan/lane.js'
import { Positions } from '../../src/store/scan/row-source.js'
import { streamSource } from '../../src/store/scan/stream-source.js'
import { page, pagesOf } from '../../../../test/kit/wrapped.js'

const Numbers = defineTable('numbers', { columns: { n: int32() }, key: ['n'] })
const whole = { from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' } } as const
const rows = (...numbers: number[]): Page => page(...numbers.map((n): Row => [n]))

/** The lane of one bucket that returns these pages, and the sizes that it was asked for. */
function laneOf(pages: readonly Page[], exact = false): { readonly lane: Lane; readonly asked: number[] } {
  const asked: number[] = []
  const positions = new Positions(Numbers, false)
  const open = () => {
    const source = pagesOf(...pages)
    return {
      next: (want: number) => {
        asked.push(want)
        return source.next(want)
      },
      close: () => {
        source.close()
      },
    }
  }
  const source = streamSource(Numbers, { bucket: 0, ranges: [whole] }, { positions, filter: undefined, open, ahead: false })
  return { lane: new Lane({ bucket: 0, source }, positions, { first: 2, max: 8, streams: 1, exact }), asked }
}

/** The rows of the next page, and the key up to which everything has been returned. */
async function step(lane: Lane, want: number, mayExamine?: number): Promise<[rows: unknown[] | undefined, position: unknown]> {
  const next = await lane.next(want, mayExamine)
  return [next?.rows.map(([n]) => n), lane.position?.row?.[0]]
}

test('R15: rows of a page that are not wanted yet wait, and the position is before them', async () => {
  const { lane, asked } = laneOf([{ rows: [[1], [2], [3]], examined: 9, last: [9] }, rows(11)])
  expect(await step(lane, 2)).toEqual([[1, 2], 2])
  expect(await step(lane, 2)).toEqual([[3], 9]) // it has examined more than it returned
  expect(asked).toEqual([2])
  expect(await step(lane, 2)).toEqual([[11], 11])
  expect(await step(lane, 2)).toEqual([undefined, undefined]) // the end of the range, which is no row
  expect(lane.ended).toBe(true)
})

test('R15: requests double while rows are filtered, and otherwise ask for no more than is still wanted', async () => {
  const pages = [rows(1, 2), rows(3), rows(4), rows(5), rows(6)]
  const filtered = laneOf(pages)
  for (const _ of pages) await step(filtered.lane, 1)
  for (const _ of pages) await step(filtered.lane, 1)
  expect(filtered.asked.slice(0, 5)).toEqual([2, 4, 8, 8, 8])
  const exact = laneOf(pages, true)
  for (const want of [1, 1, 3, 5, 100]) await step(exact.lane, want)
  expect(exact.asked).toEqual([1, 3, 5, 8])
})

test('R17: with nothing left to examine it returns what is in memory, and then nothing', async () => {
  const { lane, asked } = laneOf([rows(1, 2, 3), rows(4)])
  expect(await step(lane, 1, 3)).toEqual([[1], 1])
  expect(await step(lane, 1, 0)).toEqual([[2], 2])
  expect(await step(lane, 5, 0)).toEqual([[3], 3])
  expect(await step(lane, 5, 0)).toEqual([[], 3])
  expect(asked).toEqual([2])
  expect(await step(lane, 5, 1)).toEqual([[4], 4])
  expect(asked).toEqual([2, 1])
})

test('what the store sent is counted with its page, also the rows of it that wait', async () => {
  const { lane } = laneOf([rows(1, 2, 3)])
  expect(await lane.next(1)).toMatchObject({ rows: [[1]], cost: { calls: 1, sent: 3 } })
  expect(await lane.next(5)).toMatchObject({ rows: [[2], [3]], cost: { calls: 0, sent: 0 } })
})
