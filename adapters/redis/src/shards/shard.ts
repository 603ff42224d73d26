// Tested by replies.test.ts.
import type { Argument, Commands, Reply, Script } from '../client/commands.js'
import { tableMissing, tornShard } from '../errors.js'
import { keysOf, type ShardKeys } from '../keys.js'
import { RecordGets } from './record-gets.js'
import { kindOf, pageOf, purgeStepOf, ranksOf, refusalOf, replyFault, type PurgeStep, type Ranks, type RawPage } from './replies.js'
import { filteredPageScript, pageScript } from '../scripts/page.js'
import { purgeScript } from '../scripts/purge.js'
import { ranksScript } from '../scripts/ranks.js'
import { RowTurns } from './turns.js'
import type { Refusal } from '../scripts/script.js'
import { WriteQueue } from './write-queue.js'

/** Where a row is. */
export interface Place {
  readonly shard: Shard
  readonly rowkey: Buffer
}

/** The members of a page, in the syntax of `ZRANGE BYLEX`. */
export interface MemberRange {
  readonly low: Argument
  readonly high: Argument
  readonly reverse: boolean
}

/** Where a page ends: after so many rows, or so many bytes of what is read. */
export interface PageLimits {
  readonly rows: number
  readonly bytes: number
}

/** What is sent of the rows of a page; undefined: everything. */
export interface Sending {
  /** See {@link filteredPageScript}. */
  readonly items: string
  readonly conditions: readonly Argument[]
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

  /** The rows between two bounds. */
  async page({ low, high, reverse }: MemberRange, { rows, bytes }: PageLimits, sending: Sending | undefined): Promise<RawPage> {
    const { index, values } = this.keys
    const args = [this.id, low, high, reverse ? '1' : '0', String(rows), String(bytes)]
    if (sending !== undefined) args.push(sending.items, ...sending.conditions)
    const reply = await this.asked(sending === undefined ? pageScript : filteredPageScript, [index, values], args)
    const script = sending === undefined ? 'whole' : sending.conditions.length === 0 ? 'projected' : 'filtered'
    return pageOf(this.table, reply, { rows, script })
  }

  /** The number of rows, and the rowkeys of some ranks, from 1; empty if there is none. */
  async ranks(ranks: readonly number[]): Promise<Ranks> {
    const { index, values } = this.keys
    const reply = await this.asked(ranksScript, [index, values], [this.id, ...ranks.map(String)])
    return ranksOf(this.table, reply, ranks.length)
  }

  /** Deletes expired rows, of up to `want` that may have expired by `now`. */
  async purge(now: number, want: number): Promise<PurgeStep> {
    return purgeStepOf(this.table, await this.asked(purgeScript, keysOf(this.keys), [this.id, String(now), String(want)]), want)
  }

  /** A list that a script returned. @throws RowkeyError `TABLE_NOT_FOUND`, `CORRUPT_ROW` if it did nothing; `ADAPTER_FAULT` */
  private async asked(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<readonly Reply[]> {
    const reply = await this.commands.run(script, keys, args)
    if (Array.isArray(reply)) return reply as readonly Reply[]
    const refusal = refusalOf(reply)
    throw refusal === undefined ? replyFault(this.table, kindOf(reply)) : this.refused(refusal)
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
