// Also tested by faults.test.ts and conformance.test.ts.
import {
  atomicScope,
  failed,
  inParallel,
  latin1String,
  type MaybePromise,
  type Mutation,
  type Outcome,
  type TableSchema,
  unprocessed,
  type WriteOptions,
} from 'rowkey/adapter'
import { deletionOf, hasVersion, isAbsent, isPresent, patchOf, replacementOf, rowToWrite, type Replacement } from './changes.js'
import type { TableContext } from './context.js'
import { failedRead } from './outcomes.js'
import { hbaseStore } from './description.js'
import { applyIf, deleteIf } from './writes/apply-if.js'
import { needsRow, writeJudged } from './writes/judged.js'
import { isPlain, unanswered, writePlain, writePlains, type Settle } from './writes/plain.js'

/** The table of a schema. */
export type TableOf = (schema: TableSchema) => TableContext

/** Writes with a condition, or that read the row, which are under way at the same time. */
const conditionalAtOnce = 64

/** The outcome of each mutation of a batch. When the caller stops waiting, the outcome of what was sent is unknown. */
export async function write(batch: readonly Mutation[], tableOf: TableOf, options: WriteOptions): Promise<readonly Outcome[]> {
  if (options.atomic !== undefined && batch.length > 1) {
    const cause = atomicScope(hbaseStore, batch.length, 'they are of several rows', 'Write one row in a call')
    return batch.map(() => failed(cause))
  }
  const outcomes = new Array<Outcome>(batch.length).fill(unprocessed)
  const settle = (place: number, outcome: Outcome): void => {
    outcomes[place] = outcome
  }
  const [only] = batch
  const work =
    batch.length === 1 && only !== undefined
      ? writeOne(only, (outcome) => settle(0, outcome), tableOf, options)
      : writeEach(batch, settle, tableOf, options)
  const { cancellation } = options
  if (cancellation === undefined) await work
  else {
    await cancellation.race(work).catch(async (error: unknown) => {
      if (!cancellation.isOver) throw error
      await new Promise((resolve) => setImmediate(resolve)) // until then, what waited for its turn has its outcome
    })
  }
  return [...outcomes] // as they are now, whatever is answered later
}

/** Unconditional writes of a table share requests. */
async function writeEach(
  batch: readonly Mutation[],
  settle: (place: number, outcome: Outcome) => void,
  tableOf: TableOf,
  options: WriteOptions,
): Promise<void> {
  const conditional: number[] = []
  const plain = new Map<TableContext, number[]>()
  for (let place = 0; place < batch.length; place++) {
    const mutation = batch[place] as Mutation
    try {
      const table = tableOf(mutation.schema)
      const places = isPlain(table, mutation) ? plain.get(table) : conditional
      if (places === undefined) plain.set(table, [place])
      else places.push(place)
    } catch (cause) {
      settle(place, failedRead(cause))
    }
  }
  await Promise.all([
    ...Array.from(plain, ([table, places]) => {
      const mutations = places.map((place) => batch[place] as Mutation)
      return writePlains(table, mutations, (index, outcome) => settle(places[index] as number, outcome), options)
    }),
    inParallel(conditional, conditionalAtOnce, (place) =>
      writeOne(batch[place] as Mutation, (outcome) => settle(place, outcome), tableOf, options),
    ),
  ])
}

async function writeOne(mutation: Mutation, settle: Settle, tableOf: TableOf, options: WriteOptions): Promise<void> {
  if (options.cancellation?.isOver === true) return
  try {
    const table = tableOf(mutation.schema)
    const rowkey = rowToWrite(mutation)
    if (isPlain(table, mutation)) await writePlain(table, mutation, rowkey, settle, options)
    else {
      settle(unanswered)
      settle(await writeConditional(table, mutation, rowkey, options))
    }
  } catch (cause) {
    settle(failedRead(cause))
  }
}

async function writeConditional(table: TableContext, mutation: Mutation, rowkey: Uint8Array, options: WriteOptions): Promise<Outcome> {
  const tried: Uint8Array[] = []
  const direct = needsRow(table, mutation) ? undefined : await writeDirectly(table, mutation, rowkey, tried, options)
  if (direct !== undefined) return direct
  const judged = (): Promise<Outcome> => writeJudged(table, mutation, rowkey, tried, options)
  return table.server.turns.run(latin1String(rowkey), judged, options.cancellation)
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
