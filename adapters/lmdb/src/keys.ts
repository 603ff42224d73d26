/** LMDB's limit for a key at its smallest page size. */
const maxKeyBytes = 1978
/** Bytes of a table's number, which begins the keys of all its rows. */
export const prefixLength = 4
/** One byte less than fits, so that no key equals a bound that was cut off. */
export const maxRowkeyBytes: number = maxKeyBytes - prefixLength - 1

// Table 0 belongs to the file itself. One of these bytes follows in its keys.
const spaces = { header: 0, catalog: 1, living: 2, dropped: 3 }
const own = (space: number, rest: Buffer = Buffer.alloc(0)): Buffer => Buffer.concat([Buffer.from([0, 0, 0, 0, space]), rest])

/** Whether a catalog or the header contains the number of a table. The last one is left for the end of its rows. */
export const isTableNumber = (number: unknown): number is number =>
  typeof number === 'number' && Number.isInteger(number) && number > 0 && number < 2 ** 32 - 1

/** The number of a table, big-endian, so that the rows of a table are consecutive. */
export function tablePrefix(table: number): Buffer {
  const prefix = Buffer.alloc(prefixLength)
  prefix.writeUInt32BE(table)
  return prefix
}

/** The header: the format of the file and the number of the next table. */
export const headerKey: Buffer = own(spaces.header)
/** The catalog of a table, by name. */
export const catalogKey = (name: string): Buffer => own(spaces.catalog, Buffer.from(name))
/** Exists while the table exists. */
export const livingKey = (table: number): Buffer => own(spaces.living, tablePrefix(table))
/** Exists while a dropped table still has rows. */
export const droppedKey = (table: number): Buffer => own(spaces.dropped, tablePrefix(table))
/** All {@link droppedKey}s. */
export const droppedKeys: { readonly start: Buffer; readonly end: Buffer } = { start: own(spaces.dropped), end: own(spaces.dropped + 1) }
/** The table of a {@link droppedKey}; undefined if the key is none. */
export function droppedTable(key: Buffer): number | undefined {
  const number = key.length === 2 * prefixLength + 1 ? key.readUInt32BE(prefixLength + 1) : undefined
  return isTableNumber(number) ? number : undefined
}

/** The key of a row; undefined if it is too long, so that no row can have it. */
export function rowKey(prefix: Buffer, rowkey: Uint8Array): Buffer | undefined {
  return rowkey.length > maxRowkeyBytes ? undefined : joined(prefix, rowkey)
}

/** A bound of a range, cut to the length that LMDB accepts. No two possible keys differ only after that length. */
export function boundKey(prefix: Buffer, rowkey: Uint8Array): Buffer {
  return joined(prefix, rowkey.length > maxRowkeyBytes + 1 ? rowkey.subarray(0, maxRowkeyBytes + 1) : rowkey)
}

function joined(prefix: Buffer, rowkey: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(prefixLength + rowkey.length)
  key.set(prefix)
  key.set(rowkey, prefixLength)
  return key
}
