// Tested by conformance.test.ts.
import { checkpointUnusable } from 'rowkey/adapter'
import { rethrow } from './errors.js'
import type { TableContext } from './context.js'
import type { Shard } from './shards/shard.js'

/** A row of a table by its shard and its rowkey; without a rowkey the place before the first row of the shard. */
interface Place {
  readonly shard: number
  readonly last: Buffer | undefined
}

/** Where a full scan is: after a place, and in a split up to a place. */
export interface Range {
  readonly after: Place
  /** undefined = to the last row. */
  readonly upTo: Place | undefined
}

const text = ({ shard, last }: Place): string => `${shard}.${last?.toString('base64url') ?? ''}`

/** The checkpoint is the number of shards, the shard that was read last, and its last rowkey. That of a split also contains its end. */
export function checkpointOf(shards: number, { after, upTo }: Range, isSplit: boolean): string {
  return `${shards}.${text(after)}${isSplit ? `.${upTo === undefined ? '' : text(upTo)}` : ''}`
}

const form = /^(\d{1,4})\.(\d{1,4})\.([\w-]*)(\.(?:(\d{1,4})\.([\w-]+))?)?$/

/**
 * The range of a checkpoint, and whether it is of a split.
 *
 * @throws RowkeyError `CURSOR_INVALID`, also if the table had another number of shards, because its rows are in other shards now
 */
export function rangeOf(checkpoint: string, shards: number): readonly [range: Range, isSplit: boolean] {
  const [, had, shard, last, end, endShard, endLast] = form.exec(checkpoint) ?? []
  if (shard === undefined || last === undefined || Number(shard) >= Number(had) || Number(endShard ?? 0) >= Number(had)) {
    throw checkpointUnusable('it does not contain a shard and a rowkey')
  }
  if (last === '' && end === undefined) throw checkpointUnusable('it does not contain a shard and a rowkey')
  if (Number(had) !== shards) throw checkpointUnusable(`it is of a table with ${had} shards, and this table has ${shards}`)
  const upTo = endShard === undefined ? undefined : { shard: Number(endShard), last: rowkeyOf(endLast) }
  return [{ after: { shard: Number(shard), last: rowkeyOf(last) }, upTo }, end !== undefined]
}

const rowkeyOf = (part = ''): Buffer | undefined => (part === '' ? undefined : Buffer.from(part, 'base64url'))

/**
 * Splits a table into up to `count` ranges of about the same size. The rows of a table are in the order of shards and then of rowkeys. Redis
 * knows the size of each shard, and finds the rowkey of a rank.
 */
export async function splits({ schema, shards }: TableContext, count: number): Promise<readonly string[]> {
  try {
    const sizes = await Promise.all(shards.map(async (shard) => (await shard.ranks([])).size))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    const ranks = new Set(Array.from({ length: count - 1 }, (_, i) => Math.round(((i + 1) * total) / count)))
    const cuts = ranksByShard(
      sizes,
      [...ranks].filter((rank) => rank > 0 && rank < total),
    )
    const ends = await Promise.all(cuts.map((own, number) => placesAt(shards[number] as Shard, number, own)))
    const all = ends.flat()
    // The last range has no end, so that it includes rows that are added.
    return [...all, undefined].map((upTo, i) => checkpointOf(shards.length, { after: all[i - 1] ?? first, upTo }, true))
  } catch (error) {
    return rethrow(schema.name, error)
  }
}

const first: Place = { shard: 0, last: undefined }

/** The ranks of a table, ascending, as ranks of each shard. */
function ranksByShard(sizes: readonly number[], ranks: readonly number[]): readonly (readonly number[])[] {
  let passed = 0
  return sizes.map((size) => {
    const own = ranks.filter((rank) => rank > passed && rank <= passed + size).map((rank) => rank - passed)
    passed += size
    return own
  })
}

/** The rows of ranks of a shard. One that was deleted in the meantime has no place. */
async function placesAt(shard: Shard, number: number, ranks: readonly number[]): Promise<readonly Place[]> {
  if (ranks.length === 0) return []
  const { members } = await shard.ranks(ranks)
  return members.filter((member) => member.length > 0).map((last) => ({ shard: number, last }))
}
