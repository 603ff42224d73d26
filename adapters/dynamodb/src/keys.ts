import type { Row, TableSchema } from '@rowkey/store'

/** What a key attribute may hold, in bytes. */
export const longestPartition = 2048
export const longestSort = 1024

/** Its first byte: an empty P or K would be refused, and items of the adapter's own have room. */
const rowTag = 0x01
const systemTag = 0x00

/** The key of an item. */
export type ItemKey = Readonly<Record<'p' | 's', { readonly B: Uint8Array }>>

/** The item that holds the table's catalog; no row has this key. */
export const catalogKey: ItemKey = Object.freeze({
  p: Object.freeze({ B: Uint8Array.of(systemTag) }),
  s: Object.freeze({ B: Uint8Array.of(systemTag) }),
})

/** Whether a partition key is one of the adapter's own items. */
export const isSystem = (p: Uint8Array): boolean => p[0] === systemTag

/** The tag and a part of `bytes`. */
export function tagged(bytes: Uint8Array, from = 0, to: number = bytes.length): Uint8Array {
  const key = new Uint8Array(1 + to - from)
  key[0] = rowTag
  for (let i = from; i < to; i++) key[1 + i - from] = bytes[i] as number
  return key
}

/** The keys of one table's items. */
export class KeyFormat {
  private readonly schema: TableSchema
  /** Bytes of P where all rows have as many: only the salt is in it. */
  private readonly saltBytes: number | undefined

  constructor(schema: TableSchema) {
    this.schema = schema
    this.saltBytes = schema.partitionLength === 0 ? schema.layout.partition(0, []).length : undefined
  }

  /** Of a row or its key; undefined: too long for any item to have it. */
  keyOf(row: Row): ItemKey | undefined {
    const { layout } = this.schema
    const rowkey = layout.rowkey(row)
    const end = this.saltBytes ?? layout.partition(layout.bucketOf(row), row).length
    if (end >= longestPartition || rowkey.length - end >= longestSort) return undefined
    return { p: { B: tagged(rowkey, 0, end) }, s: { B: tagged(rowkey, end) } }
  }

  /** P‖K of an item's key. */
  rowkeyOf(p: Uint8Array, s: Uint8Array): Uint8Array {
    const rowkey = new Uint8Array(p.length + s.length - 2)
    rowkey.set(p.subarray(1))
    rowkey.set(s.subarray(1), p.length - 1)
    return rowkey
  }
}
