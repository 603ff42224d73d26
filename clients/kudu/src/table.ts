import type { Column } from './requests.js'

/** A column of a table that exists, with its number in the store, which a renamed column keeps. */
export interface TableColumn extends Column {
  readonly id: number
}

/** A hash level by the positions of its columns, which are in the order of their ids. */
export interface TableHashLevel {
  readonly columns: readonly number[]
  readonly buckets: number
  readonly seed: number
}

/** A table as it is in the store. Immutable; `openTable()` gives a new one. */
export interface KuduTable {
  readonly id: string
  readonly name: string
  /** Those of the key first. */
  readonly columns: readonly TableColumn[]
  /** So many columns are the key. */
  readonly keyColumns: number
  readonly hash: readonly TableHashLevel[]
  /** Positions of the range columns. */
  readonly range: readonly number[]
  /** Ranges with hash levels of their own: bounds are encoded range columns; empty = open. */
  readonly customRanges: readonly { readonly from: Uint8Array; readonly to: Uint8Array; readonly hash: readonly TableHashLevel[] }[]
  readonly replicas: number
  readonly comment: string
  readonly owner: string
}
