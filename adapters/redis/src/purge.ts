import type { Commands } from './commands.js'
import { keysOf } from './keys.js'
import { purgeScript } from './scripts/purge.js'
import type { Refusal } from './scripts/script.js'
import type { Shard } from './shard.js'

/** A table as a purge needs it. */
export interface Purged {
  readonly id: string
  readonly shards: readonly Shard[]
  readonly commands: Commands
}

/** Rows that one script looks at. */
const step = 500

/** Deletes up to `limit` expired rows, beginning with shard `first`; `stopped` is told where the next call should begin. */
export async function purge(table: Purged, first: number, now: number, limit: number, stopped: (shard: number) => void): Promise<number> {
  const { shards } = table
  let deleted = 0
  for (let i = 0; i < shards.length && deleted < limit; i++) {
    const number = (first + i) % shards.length
    stopped(number)
    deleted += await purgeShard(table, shards[number] as Shard, now, limit - deleted)
  }
  return deleted
}

async function purgeShard({ commands, id }: Purged, shard: Shard, now: number, limit: number): Promise<number> {
  let deleted = 0
  while (deleted < limit) {
    const want = Math.min(step, limit - deleted)
    const reply = await commands.run(purgeScript, keysOf(shard.keys), [id, String(now), String(want)])
    if (!Array.isArray(reply)) throw shard.refused(String(reply) as Refusal)
    const [gone, seen] = (reply as (number | string)[]).map(Number) as [number, number]
    deleted += gone
    if (seen < want) break
  }
  return deleted
}
