import type { Mutation } from 'rowkey/adapter'
import type { Client, types } from 'cassandra-driver'
import { optionsOf } from '../options.js'

/** Microseconds, as the driver takes them. */
export type Timestamp = number | types.Long

/**
 * The write timestamps of plain mutations whose outcome is unknown. A mutation that is sent again has the timestamp of the first time, so for
 * Cassandra it is the same write, and competes with what others have written in between as it would have the first time.
 */
export class Timestamps {
  private readonly client: Client
  private readonly sent = new WeakMap<Mutation, Timestamp>()

  constructor(client: Client) {
    this.client = client
  }

  /** The timestamp with which this mutation was sent before; undefined if it is sent for the first time. */
  of(mutation: Mutation): Timestamp | undefined {
    return this.sent.get(mutation)
  }

  /** A new timestamp, of the client's own generator. undefined if the server chooses timestamps; then nothing can be sent again. */
  next(): Timestamp | undefined {
    const { timestampGeneration } = optionsOf(this.client).policies ?? {}
    const timestamp = timestampGeneration?.next(this.client) as Timestamp | null | undefined
    return timestamp ?? undefined
  }

  keep(mutations: readonly Mutation[], timestamp: Timestamp): void {
    for (const mutation of mutations) this.sent.set(mutation, timestamp)
  }
}
