import type { Argument, Commands } from '../client/commands.js'
import { tableMissing, tornShard } from '../errors.js'
import { keysOf, type ShardKeys } from '../keys.js'
import { RecordGets } from './record-gets.js'
import { RowTurns } from './turns.js'
import { pageScript } from '../scripts/page.js'
import type { Refusal } from '../scripts/script.js'
import { WriteQueue } from './write-queue.js'

/** Where a row is. */
export interface Place {
  readonly shard: Shard
  readonly rowkey: Buffer
}

/** What a page script returned. */
export interface RawPage {
  readonly members: readonly Buffer[]
  readonly records: readonly (Buffer | null)[]
  /** Whether it stopped because of its bytes, so that there is more. */
  readonly isCut: boolean
}

/** One shard of one table in Redis. */
export class Shard {
  readonly keys: ShardKeys
  readonly gets: RecordGets
  readonly writes: WriteQueue
  readonly turns: RowTurns = new RowTurns()
  private readonly table: string
  private readonly id: string
  private readonly commands: Commands

  constructor(table: string, id: string, keys: ShardKeys, commands: Commands, hasExpiry: boolean) {
    this.table = table
    this.id = id
    this.keys = keys
    this.commands = commands
    this.gets = new RecordGets(commands, keys.values, id, table)
    const { index, values } = keys
    this.writes = new WriteQueue(commands, id, hasExpiry ? keysOf(keys) : [index, values], (refusal) => this.refused(refusal))
  }

  /** The rows between two bounds, in the syntax of `ZRANGE BYLEX`. */
  async page(low: Argument, high: Argument, reverse: boolean, rows: number, bytes: number): Promise<RawPage> {
    const { index, values } = this.keys
    const args = [this.id, low, high, reverse ? '1' : '0', String(rows), String(bytes)]
    const reply = await this.commands.run(pageScript, [index, values], args)
    if (!Array.isArray(reply)) throw this.refused(String(reply) as Refusal)
    const [members, records, cut] = reply as unknown as [readonly Buffer[], readonly (Buffer | null)[], number | string]
    return { members, records, isCut: Number(cut) === 1 }
  }

  /** The error for a script that did nothing. */
  refused(refusal: Refusal): Error {
    return refusal === 'torn' ? tornShard(this.table, this.keys.name) : tableMissing(this.table)
  }
}

/** The indexes of places, by shard. */
export function byShard(places: readonly (Pick<Place, 'shard'> | undefined)[]): ReadonlyMap<Shard, readonly number[]> {
  const groups = new Map<Shard, number[]>()
  for (let i = 0; i < places.length; i++) {
    const place = places[i]
    if (place === undefined) continue
    const group = groups.get(place.shard)
    if (group === undefined) groups.set(place.shard, [i])
    else group.push(i)
  }
  return groups
}
