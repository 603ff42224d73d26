import type { TableCatalog, TableSchema } from '@rowkey/store/adapter'
import { bigintOf } from './client/driver-values.js'
import { int32, int64, int64Of } from './client/native-bytes.js'

// In a table with expiry every row has an expiry cell, also one that never expires. Cells of one row may be removed by the server at
// different seconds, because an update gives those it writes a time to live of their own; without its expiry cell the rest would look like
// a row that lives for ever. So what has none is the remains of a row that expired.

/** In the expiry cell of a row that never expires; no instant is that late. */
const never: bigint = 2n ** 63n - 1n
const neverBytes = int64(never)

/** What the expiry cell of a row holds; null for none. */
export type ExpiryCell = bigint | null

/** How a table deals with expiry. */
export type ExpiryMode = 'none' | 'native' | 'added'

/**
 * none: rows do not expire. native: created with expiry, so the server removes what has expired. added: expiry came later; older rows have no
 * expiry cell and never expire, so nothing may be left to the server.
 */
export function expiryModeOf({ expiryIndex }: TableSchema, { store }: TableCatalog): ExpiryMode {
  if (expiryIndex < 0) return 'none'
  return store?.['expiry'] === 'native' ? 'native' : 'added'
}

/** What the catalog of a new table says. */
export const nativeExpiry = { expiry: 'native' } as const

export const expiryCell = (given: unknown): ExpiryCell => (given === null || given === undefined ? null : bigintOf(given))

/** Epoch milliseconds, null = never. */
export const expiryOf = (cell: ExpiryCell): number | null => (cell === null || cell === never ? null : Number(cell))

export const expiryBytes = (expiry: number | null): Buffer => (expiry === null ? neverBytes : int64Of(expiry))

export const cellBytes = (cell: ExpiryCell): Buffer | null => (cell === null ? null : int64(cell))

/** Twenty years, the server's limit. */
const maxTtl = 630_720_000
/** Cells that expire later are refused by servers that keep their expiry in 32 bits, which is the default; a day for clocks that differ. */
const lastExpiry = (2 ** 31 - 86_400) * 1000

/** Seconds by which cells outlive their row: the server rounds down, and the clocks of machines differ. */
const slack = 1 + 5

/**
 * Seconds after which the server may remove the cells, 0 = never. By whichever clock is behind, the caller's or this machine's: it must
 * not remove what anybody still takes for alive.
 */
function ttlOf(expiry: number | null, now: number): number {
  if (expiry === null || expiry > lastExpiry) return 0
  const seconds = Math.ceil((expiry - Math.min(now, Date.now())) / 1000) + slack
  return seconds > maxTtl ? 0 : Math.max(seconds, 1)
}

export const ttlBytes = (expiry: number | null, now: number): Buffer => int32(ttlOf(expiry, now))
