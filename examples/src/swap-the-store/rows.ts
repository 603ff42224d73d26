import type { InferInsert } from 'rowkey'
import type { Account, Reading } from './models.js'

const day = 86_400_000
const start = Date.UTC(2026, 0, 1)
const sites = ['a', 'ab', 'a\0b', 'zürich', '\u{1f600}', '', 'a}b"c:d']
const values = [0, -0, 0.1, NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308, -1.5]

/** 700 rows, the same every time. */
export const readings: readonly ReadingRow[] = Array.from({ length: 700 }, (_, i) => ({
  site: sites[i % sites.length] as string,
  sensor: (i % 3) - 1,
  at: new Date(start + (i % 50) * day - (i % 4 === 0 ? 1 : 0)),
  seq: i,
  value: values[i % values.length] as number,
  price: i % 5 === 0 ? null : `${i % 2 === 0 ? '-' : ''}${i}.${String(i).padStart(4, '0').slice(-4)}`,
  total: i % 6 === 0 ? null : 9_007_199_254_740_993n * BigInt(i) - 2n ** 40n,
  raw: i % 7 === 0 ? null : new Uint8Array(i % 9).map((_, at) => (at * 37 + i) % 256),
  tags: i % 8 === 0 ? null : { i, list: [i, 'x', null], deep: { '': i / 3 } },
  note: i % 3 === 0 ? null : i % 3 === 1 ? '' : `note ${i}`,
}))

/** 60 rows in three partitions. */
export const accounts: readonly AccountRow[] = Array.from({ length: 60 }, (_, i) => ({
  customer: ['ann', 'bob', 'ann\0'][i % 3] as string,
  closed: i % 4 === 0 ? null : new Date(start + (i % 11) * day),
  id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  active: i % 4 === 0,
  balance: i % 10 === 0 ? null : BigInt(i) ** 9n,
}))

export type ReadingRow = InferInsert<typeof Reading>
export type AccountRow = Omit<InferInsert<typeof Account>, 'rev'>
