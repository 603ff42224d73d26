import type { Outcome, WriteOptions } from '@rowkey/store'
import { outcomeOf } from './outcomes.js'
import { isPrepared, type Prepared } from './prepare.js'
import type { Shard } from './shard.js'
import { byShard } from './table-store.js'
import { updateEach } from './update.js'
import type { Change, Fate } from './write-queue.js'

/** Told what became of mutation i as soon as it is known. */
export type Settle = (i: number, outcome: Outcome) => void

/** Each mutation for itself; those of one shard go together. */
export async function writeEach(prepared: readonly (Prepared | Outcome)[], options: WriteOptions, settle: Settle): Promise<void> {
  const places = new Map<Prepared, number>()
  prepared.forEach((one, i) => {
    if (isPrepared(one)) places.set(one, i)
    else settle(i, one)
  })
  const done = (one: Prepared, outcome: Outcome): void => settle(places.get(one) as number, outcome)
  const groups = byShard(prepared.map((one) => (isPrepared(one) ? one : undefined)))
  await Promise.all(
    Array.from(groups, async ([shard, indexes]) => {
      const all = indexes.map((i) => prepared[i] as Prepared)
      const updates = all.filter(({ change }) => change === undefined)
      await Promise.all([
        write(shard, updates.length === 0 ? all : all.filter(({ change }) => change !== undefined), options, done),
        updates.length === 0 ? undefined : updateEach(updates, options, done),
      ])
    }),
  )
}

async function write(
  shard: Shard,
  known: readonly Prepared[],
  { cancellation }: WriteOptions,
  done: (one: Prepared, outcome: Outcome) => void,
): Promise<void> {
  if (known.length === 0) return
  const fates = await shard.writes.each(
    known.map(({ change }) => change as Change),
    cancellation,
  )
  known.forEach((one, i) => done(one, outcomeOf(fates[i] as Fate, one.mutation, one.table)))
}
