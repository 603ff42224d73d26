import { Progress, type Cancellation } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { rethrow } from './errors.js'
import { replyFault } from './shards/replies.js'
import type { Shard } from './shards/shard.js'

/** Max rows that one script examines. */
const step = 500

/** Deletes expired rows, shard by shard. */
export class Purge {
  private readonly table: TableContext
  /** The shard at which the last call stopped, so that many small calls together examine each row once. */
  private next = 0

  constructor(table: TableContext) {
    this.table = table
  }

  /** Deletes up to `limit` rows and returns how many. @throws the reason of the cancellation, before it deletes more */
  async run(now: number, limit: number, cancellation?: Cancellation): Promise<number> {
    const { schema, shards } = this.table
    const first = this.next
    let deleted = 0
    try {
      for (let i = 0; i < shards.length && deleted < limit; i++) {
        this.next = (first + i) % shards.length
        deleted += await this.purgeShard(shards[this.next] as Shard, now, limit - deleted, cancellation)
      }
      return deleted
    } catch (error) {
      return rethrow(schema.name, error)
    }
  }

  private async purgeShard(shard: Shard, now: number, limit: number, cancellation: Cancellation | undefined): Promise<number> {
    const progress = new Progress()
    let deleted = 0
    for (let least = Infinity; deleted < limit;) {
      cancellation?.throwIfOver()
      const { deleted: gone, left } = await shard.purge(now, Math.min(step, limit - deleted))
      deleted += gone
      if (left === 0) break
      // Each step takes entries out of the index, and few are added that are already due.
      if (progress.isStuck(left < least)) throw replyFault(this.table.schema.name, 'purges that leave as many expired rows as before')
      least = Math.min(least, left)
    }
    return deleted
  }
}
