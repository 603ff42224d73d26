// Tested by packages/advisor/test/known-stores.test.ts.

/**
 * What tools reckon with and tell of a store before there is one: plain data. Figures are those of its vendor, or measured. Absent: nothing is known.
 *
 * @example
 * ```ts
 * const facts: StoreFacts = { title: 'Tiny', placement: 'one place', isFreeReverse: true }
 * ```
 */
export interface StoreFacts {
  /** Its name as its vendor writes it. */
  readonly title: string
  /** How it decides where a row goes: by the hash of its partition, by the order of keys, or not at all, because one process has everything. */
  readonly placement: 'hash' | 'order' | 'one place'
  /** The options of its adapter that a tool without a client may give to `ddl()`, by name. */
  readonly options?: readonly string[]
  /** What one partition takes. */
  readonly partition?: PartitionLimits
  /** Writes and reads are counted apart, in begun units of so many bytes. Absent: each request is one command. */
  readonly units?: RequestUnits
  /** Keys of one bucket are one command of a get. */
  readonly hasSharedGets?: true
  /** A node executes all commands on one thread. */
  readonly isOneThread?: true
  /** It reads backwards as fast as forwards. */
  readonly isFreeReverse?: true
  /** How long marks of deleted rows stay in the way of scans. */
  readonly tombstones?: Tombstones
  /** What conditional writes read of a row besides its values. */
  readonly formerValues?: FormerValues
  /** It can compact the rows of one window of time apart from others. */
  readonly windows?: WindowHint
  /** A table begins as one region, unless a hint of the model cuts it. */
  readonly splits?: SplitHint
  /** Facts that differ by the option `profile` of its adapter, by its value. */
  readonly profiles?: Readonly<Record<string, StoreFacts>>
  /** For a store without `ddl()`: how its tables come to be, as a sentence. */
  readonly noDefinitions?: string
}

/** What one partition takes, as the vendor says; absent: no figure is published. */
export interface PartitionLimits {
  readonly writesPerSecond?: number
  readonly readsPerSecond?: number
  /** Rows from which on reads and repairs get slow. */
  readonly rows?: number
  /** Bytes, the same. */
  readonly bytes?: number
}

/** The units in which a store counts. */
export interface RequestUnits {
  /** Bytes of a unit of writes. */
  readonly writeBytes: number
  /** Bytes of a unit of reads. */
  readonly readBytes: number
  /** What an eventually consistent read costs, as a part of a strong one. */
  readonly eventual: number
}

/** Marks of deleted rows. */
export interface Tombstones {
  /** How long they are kept by default. */
  readonly days: number
  /** So many in the way of a scan are no matter. */
  readonly few: number
  /** What happens with more, as a phrase. */
  readonly fails: string
}

/** Former values of rows, which a conditional write reads. */
export interface FormerValues {
  /** How long they are kept by default. */
  readonly seconds: number
  /** From so many on, a write is slow. */
  readonly many: number
  /** What was measured, as a phrase. */
  readonly measured: string
  /** The hint of a model that, if it is false, makes the store forget them. */
  readonly hint: string
  /** Until when they are kept, as a phrase. */
  readonly until: string
  /** What to do about it, as sentences. */
  readonly fix: string
}

/** The hint that cuts a table: `stores: { [store]: { [hint]: 16 } }`. */
export interface SplitHint {
  readonly store: string
  readonly hint: string
}

/** The hints that compact by windows of time: `stores: { [store]: { [hint]: value, [size]: '1d' } }`. */
export interface WindowHint {
  readonly store: string
  readonly hint: string
  readonly value: string
  readonly size: string
}
