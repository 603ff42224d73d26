import type { Page, Row } from '#store/adapter'
import { expect, test } from 'vitest'
import { nextSize, requestSizes } from '../../src/store/scan/lane.js'

const rows = (count: number, bytes: number): Page => ({
  rows: Array.from({ length: count }, (): Row => ['x'.repeat(bytes)]),
  examined: count,
})

test('R15: the first request is ceil(limit / k) + 1 rows of each bucket, 64 / k without a limit, never over the limit or 1,024', () => {
  expect(requestSizes(10, 16, true)).toEqual({ first: 2, max: 1024, streams: 16, exact: true })
  expect(requestSizes(100, 1, false)).toEqual({ first: 100, max: 1024, streams: 1, exact: false })
  expect(requestSizes(1, 16, false).first).toBe(1)
  expect(requestSizes(undefined, 16, true)).toEqual({ first: 5, max: 1024, streams: 16, exact: false })
  expect(requestSizes(1_000_000, 1, true).first).toBe(1024)
})

test('R15: requests double up to 1,024 rows, as long as what all buckets hold stays within 32 MiB', () => {
  const of = (streams: number) => requestSizes(undefined, streams, false)
  expect(nextSize(64, rows(64, 10), of(1))).toBe(128)
  expect(nextSize(1024, rows(64, 10), of(1))).toBe(1024)
  expect(nextSize(64, rows(64, 350_000), of(1))).toBe(95) // 32 MiB / 350,000
  expect(nextSize(64, rows(64, 350_000), of(16))).toBe(5)
  expect(nextSize(2, rows(2, 350_000), of(1000))).toBe(1) // a stream that asks for nothing would never end
  expect(nextSize(64, { rows: [], examined: 10, cost: { calls: 1, bytes: 10_000_000 } }, of(1))).toBe(33)
  expect(nextSize(64, { rows: [], examined: 0, cost: { calls: 1, bytes: 10 } }, of(1))).toBe(128)
})
