/** A sorted map with keys of its own choice. */
export interface Engine<K> {
  /** The key of a rowkey. */
  keyOf(rowkey: string): K
  set(key: K, row: readonly unknown[]): unknown
  get(key: K): unknown
  delete?(key: K): unknown
  /** Up to `count` rows from `key` on. */
  scan?(key: K, count: number): readonly unknown[] | Promise<readonly unknown[]>
  /** Up to `count` rows from `key` on, backwards. */
  reverse?(key: K, count: number): readonly unknown[] | Promise<readonly unknown[]>
  /** get, scan and reverse give promises. */
  readonly isAsync?: boolean
  /** Writes are measured where one is applied when the call returns. */
  readonly writes: boolean
  /** After a bulk of writes. */
  settle?(): Promise<void>
}
