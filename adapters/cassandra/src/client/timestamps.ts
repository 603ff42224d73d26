import type { Mutation } from '@rowkey/store/adapter'
import type { Client, types } from 'cassandra-driver'
import { optionsOf } from '../options.js'

/** Microseconds, as the driver takes them. */
export type Timestamp = number | types.Long

/**
 * The write timestamps of plain mutations whose outcome is not known. What is sent again gets the timestamp of the first time, so for
 * Cassandra it is the same write: it cannot undo what others have written in between, whose timestamps are later.
 */
export class Timestamps {
  private readonly client: Client
  private readonly sent = new WeakMap<Mutation, Timestamp>()

  constructor(client: Client) {
    this.client = client
  }

  /** Of the first time this mutation was sent; undefined if that is now. */
  of(mutation: Mutation): Timestamp | undefined {
    return this.sent.get(mutation)
  }

  /** A new one, by the client's own generator. undefined where the server shall choose: then nothing can be sent again. */
  next(): Timestamp | undefined {
    const { timestampGeneration } = optionsOf(this.client).policies ?? {}
    const timestamp = timestampGeneration?.next(this.client) as Timestamp | null | undefined
    return timestamp ?? undefined
  }

  keep(mutations: readonly Mutation[], timestamp: Timestamp): void {
    for (const mutation of mutations) this.sent.set(mutation, timestamp)
  }
}
