import type { Cells, Workload } from '../workloads.js'

/** A codec at work on one workload. `Key` is what it takes: an array, an object. */
export interface Codec<Key = unknown, Bytes extends Uint8Array | string = Uint8Array | string> {
  /** Outside of the clock. */
  toKey(cells: Cells): Key
  encode(key: Key): Bytes
  /** Writes into `scratch`, which is used again, and returns the end. */
  encodeInto?(key: Key): number
  readonly scratch?: Uint8Array
  decode?(bytes: Bytes): unknown
  /** What was decoded, by column. Outside of the clock. */
  toCells?(decoded: unknown): unknown
  /** What else happens in the process. */
  meanwhile?(): void
}

export interface Candidate {
  readonly name: string
  /** Its keys are not meant to sort. */
  readonly unordered?: boolean
  /** It turns columns with `desc` around. */
  readonly descends?: boolean
  /** Has to write the bytes of rowkey and refuse what rowkey refuses. */
  readonly sameBytes?: boolean
  takesPart(workload: Workload): boolean
  /** @throws Error if it cannot hold such columns */
  codec(workload: Pick<Workload, 'columns' | 'salt'>): Promise<Codec>
}
