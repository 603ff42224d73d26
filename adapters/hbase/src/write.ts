// Tested by faults.test.ts and conformance.test.ts.
import {
  applied,
  atomicScope,
  failed,
  inParallel,
  isPromise,
  isUnconditional,
  latin1String,
  unknown,
  unprocessed,
} from '@rowkey/store/adapter'
import type { MaybePromise, Mutation, Outcome, TableSchema, WriteOptions } from '@rowkey/store/adapter'
import {
  deletionOf,
  hasVersion,
  isAbsent,
  isPresent,
  mutationsOf,
  patchOf,
  replacementOf,
  rowToWrite,
  type Replacement,
} from './changes.js'
import type { TableContext } from './context.js'
import { failedRead, outcomeOf } from './outcomes.js'
import { hbaseStore } from './description.js'
import { applyIf, deleteIf } from './writes/apply-if.js'
import { needsRow, writeJudged } from './writes/judged.js'

/** The table of a schema. */
export type TableOf = (schema: TableSchema) => TableContext

/** Writes with a condition that are under way at the same time. */
const conditionalAtOnce = 64

/** The outcome of each mutation of a batch. When the caller stops waiting, the outcome of what was sent is unknown. */
export async function write(batch: readonly Mutation[], tableOf: TableOf, options: WriteOptions): Promise<readonly Outcome[]> {
  if (options.atomic !== undefined && batch.length > 1) {
    const cause = atomicScope(hbaseStore, batch.length, 'they are of several rows', 'Write one row in a call')
    return batch.map(() => failed(cause))
  }
  const [only] = batch
  // Most writes: without the lists of a batch.
  if (batch.length === 1 && only !== undefined && options.cancellation === undefined) return [await writeOne(only, tableOf, options)]
  const outcomes = new Array<Outcome | undefined>(batch.length).fill(undefined)
  const work = writeEach(batch, outcomes, tableOf, options)
  const { cancellation } = options
  if (cancellation === undefined) await work
  else {
    await cancellation.race(work).catch(async (error: unknown) => {
      if (!cancellation.isOver) throw error
      await new Promise((resolve) => setImmediate(resolve)) // until then, what was not sent has its outcome
    })
  }
  return outcomes.map((outcome) => outcome ?? unknown(undefined))
}

/** Each outcome is set as soon as it is known. */
async function writeEach(
  batch: readonly Mutation[],
  outcomes: (Outcome | undefined)[],
  tableOf: TableOf,
  options: WriteOptions,
): Promise<void> {
  const run = async (place: number): Promise<void> => {
    const mutation = batch[place] as Mutation
    outcomes[place] = await writeOne(mutation, tableOf, options)
  }
  const places = batch.map((_, place) => place)
  const isPlain = (place: number): boolean => isUnconditional(batch[place] as Mutation)
  await Promise.all([
    // All at once, so that they share requests.
    ...places.filter(isPlain).map(run),
    inParallel(
      places.filter((place) => !isPlain(place)),
      conditionalAtOnce,
      run,
    ),
  ])
}

async function writeOne(mutation: Mutation, tableOf: TableOf, options: WriteOptions): Promise<Outcome> {
  if (options.cancellation?.isOver === true) return unprocessed
  try {
    const table = tableOf(mutation.schema)
    const rowkey = rowToWrite(mutation)
    if (isUnconditional(mutation)) return await writePlain(table, mutation, rowkey, options)
    const tried: Uint8Array[] = []
    const direct = needsRow(table, mutation) ? undefined : await writeDirectly(table, mutation, rowkey, tried, options)
    if (direct !== undefined) return direct
    const judged = (): Promise<Outcome> => writeJudged(table, mutation, rowkey, tried, options)
    return await table.server.turns.run(latin1String(rowkey), judged, options.cancellation)
  } catch (cause) {
    return failedRead(cause)
  }
}

async function writePlain(table: TableContext, mutation: Mutation, rowkey: Uint8Array, options: WriteOptions): Promise<Outcome> {
  const { client, server } = table
  let send: () => Promise<unknown>
  if (mutation.kind === 'delete') send = () => server.deletes.delete(deletionOf(table, rowkey))
  else {
    const given = replacementOf(table, mutation.row, rowkey)
    const replacement = isPromise(given) ? await given : given // so that puts of one tick stay together
    if (isPromise(given) && options.cancellation?.isOver === true) return unprocessed
    send = () =>
      replacement.clear === undefined ? server.puts.put(replacement.put) : client.mutateRow(server.name, rowkey, mutationsOf(replacement))
  }
  try {
    await send()
    return applied
  } catch (error) {
    return await outcomeOf(table, error)
  }
}

/**
 * A mutation whose requirement the server can check by itself: that there is no row, that there is one, or that it has a version. undefined: it did not hold,
 * and the row has to be read to say why.
 *
 * @param tried gets the mark of a change that was refused
 */
async function writeDirectly(
  table: TableContext,
  mutation: Mutation,
  rowkey: Uint8Array,
  tried: Uint8Array[],
  options: WriteOptions,
): Promise<Outcome | undefined> {
  const { kind, version } = mutation
  const check = kind === 'insert' ? isAbsent(rowkey) : version === undefined ? isPresent(rowkey) : hasVersion(rowkey, version)
  if (kind === 'delete') return orNothing(await deleteIf(table, check, deletionOf(table, rowkey)))
  const change = await changeOf(table, mutation, rowkey)
  return options.cancellation?.isOver === true ? unprocessed : orNothing(await applyIf(table, check, change, tried))
}

const orNothing = (sent: Outcome | 'refused'): Outcome | undefined => (sent === 'refused' ? undefined : sent)

function changeOf(table: TableContext, mutation: Mutation, rowkey: Uint8Array): MaybePromise<Replacement> {
  return mutation.kind === 'update' ? patchOf(table, mutation.row, mutation.set, rowkey) : replacementOf(table, mutation.row, rowkey)
}
