import type { TableCatalog, TableSchema } from 'rowkey/adapter'
import { bigintOf } from './client/driver-values.js'
import { int32, int64, int64Of } from './client/native-bytes.js'

// In a table with expiry every row has an expiry cell, also one that never expires. The server may remove the cells of one row at different
// seconds, because an update writes its cells with another time to live. Without its expiry cell, the rest would look like a row that never expires.
// So a row without an expiry cell counts as the remains of an expired one.

/** The expiry cell of a row that never expires. No instant is that late. */
const never: bigint = 2n ** 63n - 1n
const neverBytes = int64(never)

/** The content of the expiry cell of a row; null if there is no cell. */
export type ExpiryCell = bigint | null

/** How rows of a table expire. */
export type ExpiryMode = 'none' | 'native' | 'added'

/**
 * none: rows do not expire. native: the table was created with expiry, so the server removes expired rows. added: expiry was added later. Then older
 * rows have no expiry cell and never expire, so the server must not remove anything.
 */
export function expiryModeOf({ expiryIndex }: TableSchema, { store }: TableCatalog): ExpiryMode {
  if (expiryIndex < 0) return 'none'
  return store?.['expiry'] === 'native' ? 'native' : 'added'
}

/** What the catalog of a new table contains about this. */
export const nativeExpiry = { expiry: 'native' } as const

export const expiryCell = (given: unknown): ExpiryCell => (given === null || given === undefined ? null : bigintOf(given))

/** Epoch milliseconds, null = never. */
export const expiryOf = (cell: ExpiryCell): number | null => (cell === null || cell === never ? null : Number(cell))

export const expiryBytes = (expiry: number | null): Buffer => (expiry === null ? neverBytes : int64Of(expiry))

export const cellBytes = (cell: ExpiryCell): Buffer | null => (cell === null ? null : int64(cell))

/** Twenty years, the server's limit. */
const maxTtl = 630_720_000
/** Servers that keep expiry in 32 bits, which is the default, refuse cells that expire later. Less a day, because clocks differ. */
const lastExpiry = (2 ** 31 - 86_400) * 1000

/** Seconds that cells stay longer than their row, because the server rounds down, and the clocks of machines differ. */
const slack = 1 + 5

/**
 * Seconds after which the server may remove the cells, 0 = never. They count from the earlier of two clocks, the caller's and this machine's,
 * because the server must not remove a row that has not expired by either of them.
 */
function ttlOf(expiry: number | null, now: number): number {
  if (expiry === null || expiry > lastExpiry) return 0
  const seconds = Math.ceil((expiry - Math.min(now, Date.now())) / 1000) + slack
  return seconds > maxTtl ? 0 : Math.max(seconds, 1)
}

export const ttlBytes = (expiry: number | null, now: number): Buffer => int32(ttlOf(expiry, now))
