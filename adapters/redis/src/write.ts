// Tested by faults.test.ts and conformance.test.ts.
import {
  appliedTo,
  atomicScope,
  dependsOnValues,
  failed,
  heldRow,
  inTime,
  unknown,
  unprocessed,
  type Mutation,
  type Outcome,
  type WriteOptions,
} from 'rowkey/adapter'
import { randomUUID } from 'node:crypto'
import { changeOn, isChange, isPrepared, prepare, type Prepared, type TableOf } from './changes.js'
import { redisStore } from './description.js'
import { outcomeOf, outcomeOfRead } from './outcomes.js'
import { byShard, type Shard } from './shards/shard.js'
import type { Change, ScriptResult } from './shards/write-queue.js'

/** The outcome of each mutation of a batch. When the caller stops waiting, the outcome of what was sent is unknown. */
export function write(batch: readonly Mutation[], tableOf: TableOf, options: WriteOptions): Promise<readonly Outcome[]> {
  const { cancellation } = options
  if (cancellation?.isOver === true) return Promise.resolve(batch.map(() => unprocessed))
  const prepared = batch.map((mutation) => prepare(mutation, tableOf, options.now))
  const work = options.atomic === undefined ? writeEach(prepared, options) : writeAll(prepared, options)
  if (cancellation === undefined) return work
  return cancellation.race(work).catch(async (error: unknown) => {
    if (!cancellation.isOver) throw error
    await new Promise((resolve) => setImmediate(resolve)) // until then, what was not sent has its outcome
    return Promise.race([work, Promise.resolve(outcomesOf(prepared))])
  })
}

/** The outcomes that are known by now. */
function outcomesOf(prepared: readonly (Prepared | Outcome)[]): readonly Outcome[] {
  return prepared.map((one) => (isPrepared(one) ? (one.outcome ?? unknown(undefined)) : one))
}

/** Each mutation by itself; those of one shard go together. The outcome of each is set as soon as it is known. */
function writeEach(prepared: readonly (Prepared | Outcome)[], options: WriteOptions): Promise<readonly Outcome[]> {
  const [only] = prepared
  if (prepared.length === 1 && only !== undefined && isPrepared(only) && only.change !== undefined) {
    return writeOne(only, only.change, options) // most writes: without the lists and promises of a batch
  }
  return writeSome(prepared, options)
}

function writeOne(prepared: Prepared, change: Change, { cancellation }: WriteOptions): Promise<readonly Outcome[]> {
  return prepared.shard.writes.each([change], cancellation).then((results) => [outcomeOf(results[0] as ScriptResult, prepared)])
}

async function writeSome(prepared: readonly (Prepared | Outcome)[], options: WriteOptions): Promise<readonly Outcome[]> {
  const all = prepared.filter(isPrepared)
  const groups = Array.from(byShard(all), ([shard, indexes]) => [shard, indexes.map((i) => all[i] as Prepared)] as const)
  await Promise.all(groups.map(([shard, own]) => writeShard(shard, own, options)))
  return outcomesOf(prepared)
}

/** The mutations of one shard. */
async function writeShard(shard: Shard, all: readonly Prepared[], options: WriteOptions): Promise<void> {
  const updates = all.filter(({ change }) => change === undefined)
  if (updates.length === 0) return writeChanges(shard, all, options)
  const others = all.filter(({ change }) => change !== undefined)
  await Promise.all([writeChanges(shard, others, options), updateInTurn(shard, updates, options)])
}

/** Of many increments of one row, each would make all others read the row again. So they wait for those that this process has begun. */
async function updateInTurn(shard: Shard, updates: readonly Prepared[], options: WriteOptions): Promise<void> {
  const inTurn = updates.filter(({ mutation }) => dependsOnValues(mutation))
  if (inTurn.length === 0) return updateShard(shard, updates, options)
  const turn = shard.turns.take(inTurn.map(({ rowkey }) => rowkey.toString('latin1')))
  try {
    await inTime(options.cancellation, turn.ready)
  } catch {
    for (const one of updates) one.outcome = unprocessed // nobody waits for them any more, and they were not sent
    turn.end()
    return
  }
  await updateShard(shard, updates, options).finally(turn.end)
}

async function writeChanges(shard: Shard, all: readonly Prepared[], { cancellation }: WriteOptions): Promise<void> {
  if (all.length === 0) return
  const results = await shard.writes.each(
    all.map(({ change }) => change as Change),
    cancellation,
  )
  all.forEach((one, i) => (one.outcome = outcomeOf(results[i] as ScriptResult, one)))
}

/** How often an update reads its row again because another write has changed it. */
const maxLooks = 10

/**
 * Updates of one shard: each row is read, changed here, and written if its record is still the same. So concurrent updates are not
 * lost, columns that this schema does not know are kept, and a row that is deleted in the meantime stays deleted.
 */
async function updateShard(shard: Shard, updates: readonly Prepared[], { now, cancellation }: WriteOptions): Promise<void> {
  let left = updates
  for (let look = 0; look < maxLooks && left.length > 0 && cancellation?.isOver !== true; look++) {
    const wanted = await changesOf(shard, left, now)
    const changing: Prepared[] = []
    const changes: Change[] = []
    left.forEach((one, i) => {
      const change = wanted[i] as Change | Outcome
      if (!isChange(change)) one.outcome = change
      else {
        changing.push(one)
        changes.push(change)
      }
    })
    if (changes.length === 0) return
    const results = await shard.writes.each(changes, cancellation)
    left = changing.filter((one, i) => {
      const result = results[i] as ScriptResult
      if (result !== 'stale') one.outcome = withRow(outcomeOf(result, one), one, changes[i] as Change)
      return result === 'stale'
    })
  }
  for (const one of left) one.outcome = unprocessed
}

/** The outcome, with the row of the record that was written if the mutation asks for it. */
function withRow(outcome: Outcome, { mutation, table }: Prepared, { record }: Change): Outcome {
  const isAsked = outcome.kind === 'applied' && mutation.kind === 'update' && mutation.returns === true
  return isAsked ? appliedTo(heldRow(() => table.rows.rowOf(mutation.row, record))) : outcome
}

/** The changes of updates of one shard, computed from the rows as they are now. */
async function changesOf(shard: Shard, updates: readonly Prepared[], now: number): Promise<readonly (Change | Outcome)[]> {
  try {
    const records = await shard.gets.get(updates.map(({ rowkey }) => rowkey))
    return updates.map((one, i) => changeOn(one, records[i] ?? null, now))
  } catch (cause) {
    return updates.map(() => outcomeOfRead(cause))
  }
}

/** All mutations of one shard or none, in one script. */
async function writeAll(prepared: readonly (Prepared | Outcome)[], options: WriteOptions): Promise<readonly Outcome[]> {
  const all = prepared.filter(isPrepared)
  if (all.length < prepared.length) return prepared.map((one) => (isPrepared(one) ? unprocessed : one))
  const [first] = all
  if (first === undefined) return []
  if (all.some(({ shard }) => shard !== first.shard)) {
    const cause = outOfScope(prepared.length)
    return prepared.map(() => failed(cause))
  }
  for (let look = 0; look < maxLooks && options.cancellation?.isOver !== true; look++) {
    const outcomes = await attemptAll(first.shard, all, options)
    if (outcomes !== undefined) return outcomes
  }
  return prepared.map(() => unprocessed)
}

/** undefined: a row has changed between the read and the script, so nothing was written. */
async function attemptAll(
  shard: Shard,
  all: readonly Prepared[],
  { now, cancellation }: WriteOptions,
): Promise<readonly Outcome[] | undefined> {
  const updates = all.filter(({ change }) => change === undefined)
  const updated = updates.length === 0 ? [] : await changesOf(shard, updates, now)
  let next = 0
  const changes = all.map(({ change }) => change ?? (updated[next++] as Change | Outcome))
  const results = await shard.writes.all(
    changes.map((change, i) => (isChange(change) ? change : impossible(all[i] as Prepared))),
    cancellation,
  )
  if (results.every((result) => result === 'applied')) return all.map((one) => outcomeOf('applied', one))
  const known = all.map((one, i) => {
    const change = changes[i] as Change | Outcome
    const result = results[i] as ScriptResult
    if (!isChange(change)) return change
    // The script applied nothing, also not what was possible.
    return result === 'applied' || result === 'stale' ? unprocessed : outcomeOf(result, one)
  })
  return known.every((outcome) => outcome === unprocessed) && results.includes('stale') ? undefined : known
}

/** Equals no record, not even a damaged one. */
const never = randomUUID()

/** Replaces an update that is refused, so that the script applies nothing and returns what else fails. */
const impossible = ({ rowkey }: Prepared): Change => ({
  kind: 'replace',
  key: rowkey,
  record: Buffer.alloc(0),
  expiry: '',
  condition: never,
  now: '',
})

/** The core refuses other partitions already. */
const outOfScope = (writes: number): Error =>
  atomicScope(
    redisStore,
    writes,
    'they are in several tables or partitions',
    'Give rows that belong together the same table, partition columns and bucket',
  )
