import { RowkeyError, type Outcome, type WriteOptions } from '@rowkey/store'
import { randomUUID } from 'node:crypto'
import { capabilities } from './capabilities.js'
import { outcomeOf, unprocessed } from './outcomes.js'
import { isChange, isPrepared, type Prepared } from './prepare.js'
import { changesOf, looks } from './update.js'
import type { Change, Fate } from './write-queue.js'

/** All mutations of one shard or none, in one script. */
export async function writeAll(prepared: readonly (Prepared | Outcome)[], options: WriteOptions): Promise<readonly Outcome[]> {
  const all = prepared.filter(isPrepared)
  if (all.length < prepared.length) return prepared.map((one) => (isPrepared(one) ? unprocessed : one))
  const [first] = all
  if (first === undefined) return []
  if (all.some(({ shard }) => shard !== first.shard)) {
    const cause = outOfScope(prepared.length)
    return prepared.map(() => ({ kind: 'failed', cause }))
  }
  for (let look = 0; look < looks && options.cancellation?.isOver !== true; look++) {
    const outcomes = await attempt(all, first, options)
    if (outcomes !== undefined) return outcomes
  }
  return prepared.map(() => unprocessed)
}

/** undefined: a row was changed between the look at it and the script, so nothing was written. */
async function attempt(
  all: readonly Prepared[],
  { shard }: Prepared,
  { now, cancellation }: WriteOptions,
): Promise<readonly Outcome[] | undefined> {
  const updates = all.filter(({ change }) => change === undefined)
  const changes = updates.length === 0 ? [] : await changesOf(updates, now)
  const updated = new Map(updates.map((one, i) => [one, changes[i] as Change | Outcome]))
  const refused = (one: Prepared): Outcome | undefined => {
    const change = updated.get(one)
    return change === undefined || isChange(change) ? undefined : change
  }
  const fates = await shard.writes.all(
    all.map((one) => {
      const change = one.change ?? (updated.get(one) as Change | Outcome)
      return isChange(change) ? change : impossible(one)
    }),
    cancellation,
  )
  if (fates.every((fate) => fate === 'a')) return all.map((one) => outcomeOf('a', one.mutation, one.table))
  const known = all.map((one, i) => {
    const fate = fates[i] as Fate
    // What applies alone was not applied either.
    return refused(one) ?? (fate === 'a' || fate === 's' ? unprocessed : outcomeOf(fate, one.mutation, one.table))
  })
  return known.every((outcome) => outcome === unprocessed) && fates.some((fate) => fate === 's') ? undefined : known
}

/** What no record is, not even a damaged one. */
const never = randomUUID()

/** In the place of an update that must not be: the script applies nothing, and says what else fails. */
const impossible = ({ rowkey }: Prepared): Change => ({
  kind: 'replace',
  key: rowkey,
  record: Buffer.alloc(0),
  expiry: '',
  condition: never,
  now: '',
})

function outOfScope(writes: number): RowkeyError<'ATOMIC_SCOPE'> {
  const { scope, max } = capabilities.atomic
  const message = `redis cannot apply these ${writes} writes all or none: they are in several tables or partitions. Nothing was written. Give rows that belong together the same table, partition columns and bucket.`
  return new RowkeyError('ATOMIC_SCOPE', message, { adapter: 'redis', scope, max, writes })
}
