import type { Cancellation } from '@rowkey/store/adapter'
import type { Commands } from './client/commands.js'
import { keysOf } from './keys.js'
import { purgeScript } from './scripts/purge.js'
import type { Refusal } from './scripts/script.js'
import type { Shard } from './shards/shard.js'

/** What a purge needs of a table. */
export interface Purged {
  readonly id: string
  readonly shards: readonly Shard[]
  readonly commands: Commands
}

/** Max rows that one script examines. */
const step = 500

/** Deletes expired rows, shard by shard. */
export class Purge {
  private readonly table: Purged
  /** The shard at which the last call stopped, so that many small calls together examine each row once. */
  private next = 0

  constructor(table: Purged) {
    this.table = table
  }

  /** Deletes up to `limit` rows and returns how many. @throws CommandError; the reason of the cancellation, before it deletes more */
  async run(now: number, limit: number, cancellation?: Cancellation): Promise<number> {
    const { shards } = this.table
    const first = this.next
    let deleted = 0
    for (let i = 0; i < shards.length && deleted < limit; i++) {
      this.next = (first + i) % shards.length
      deleted += await this.purgeShard(shards[this.next] as Shard, now, limit - deleted, cancellation)
    }
    return deleted
  }

  private async purgeShard(shard: Shard, now: number, limit: number, cancellation: Cancellation | undefined): Promise<number> {
    const { commands, id } = this.table
    let deleted = 0
    while (deleted < limit) {
      cancellation?.throwIfOver()
      const want = Math.min(step, limit - deleted)
      const reply = await commands.run(purgeScript, keysOf(shard.keys), [id, String(now), String(want)])
      if (!Array.isArray(reply)) throw shard.refused(String(reply) as Refusal)
      const [gone, seen] = (reply as (number | string)[]).map(Number) as [number, number]
      deleted += gone
      if (seen < want) break
    }
    return deleted
  }
}
