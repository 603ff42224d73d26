import type { NewOrder } from './models.js'

const start = Date.UTC(2026, 2, 1)

/** 120 orders of some buyers at 3 sellers. */
export const orders: readonly NewOrder[] = Array.from({ length: 120 }, (_, i) => ({
  orderNo: String(1_000_000 + i * 7919),
  buyer: ['ann', 'bob', 'cid', 'dot', 'eve', 'fay'][(i * i) % 6] as string,
  seller: ['books', 'bikes', 'bread'][i % 3] as string,
  at: new Date(start + i * 3_600_000),
  cents: 100 + ((i * 37) % 900),
  lines: 1 + (i % 4),
}))
