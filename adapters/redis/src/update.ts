import type { Outcome, WriteOptions } from '@rowkey/store'
import { CommandError } from './commands.js'
import { outcomeOf, unansweredOutcome, unprocessed } from './outcomes.js'
import { isChange, updateOf, type Prepared } from './prepare.js'
import type { Change, Fate } from './write-queue.js'

/** How often an update looks at its row again because another write came between. */
export const looks = 10

/**
 * Updates of one shard: each row is read, changed here, and written if its record is still the same. So none of several at once is lost,
 * columns that this schema does not know are kept, and a row that is deleted meanwhile stays deleted.
 */
export async function updateEach(
  updates: readonly Prepared[],
  options: WriteOptions,
  settle: (one: Prepared, outcome: Outcome) => void,
): Promise<void> {
  let left = updates
  for (let look = 0; look < looks && left.length > 0 && options.cancellation?.isOver !== true; look++) {
    const wanted = await changesOf(left, options.now)
    const changing: Prepared[] = []
    const changes: Change[] = []
    left.forEach((one, i) => {
      const change = wanted[i] as Change | Outcome
      if (!isChange(change)) settle(one, change)
      else {
        changing.push(one)
        changes.push(change)
      }
    })
    if (changes.length === 0) return
    const fates = await (left[0] as Prepared).shard.writes.each(changes, options.cancellation)
    left = changing.filter((one, i) => {
      const fate = fates[i] as Fate
      if (fate !== 's') settle(one, outcomeOf(fate, one.mutation, one.table))
      return fate === 's'
    })
  }
  for (const one of left) settle(one, unprocessed)
}

/** The changes that updates of one shard make of the rows as they are now. */
export async function changesOf(updates: readonly Prepared[], now: number): Promise<readonly (Change | Outcome)[]> {
  try {
    const records = await (updates[0] as Prepared).shard.gets.get(updates.map(({ rowkey }) => rowkey))
    return updates.map((one, i) => updateOf(one, records[i] ?? null, now))
  } catch (cause) {
    // Nothing was written, so nothing is open.
    const outcome: Outcome = !(cause instanceof CommandError)
      ? { kind: 'failed', cause }
      : cause.state === 'refused'
        ? unansweredOutcome(cause)
        : unprocessed
    return updates.map(() => outcome)
  }
}
