import type { Adapter } from '../contract/adapter.js'
import type { Mutation, Outcome, WriteOptions } from '../contract/writing.js'
import { storeError } from '../errors.js'
import { rowkeyOf } from '../table/rowkey.js'

/**
 * Applies unconditional mutations of one table in any order. Several for one row fold into the last. Resolves only when all are
 * applied.
 *
 * @throws RowkeyError `WRITE_INCOMPLETE` with the outcome of every mutation that is not applied
 */
export async function writeMany(adapter: Adapter, mutations: readonly Mutation[], options: WriteOptions): Promise<void> {
  if (mutations.length === 0) return
  const { batch, slots } = fold(mutations)
  const outcomes = await adapter.write(batch, options)
  if (outcomes.length !== batch.length) throw incomplete(mutations, slots, []) // nobody knows which answer is whose
  if (outcomes.some(({ kind }) => kind !== 'applied')) throw incomplete(mutations, slots, outcomes)
}

/** The last mutation of each row, and for each input the place of the one that stands for it. */
function fold(mutations: readonly Mutation[]): { readonly batch: readonly Mutation[]; readonly slots: readonly number[] } {
  const slotOf = new Map<string, number>()
  const batch: Mutation[] = []
  const slots = mutations.map((mutation) => {
    const key = rowkeyOf(mutation.schema, mutation.row)
    const slot = slotOf.get(key) ?? batch.length
    slotOf.set(key, slot)
    batch[slot] = mutation
    return slot
  })
  return { batch, slots }
}

function incomplete(mutations: readonly Mutation[], slots: readonly number[], given: readonly Outcome[]): Error {
  const table = mutations[0]?.schema.name ?? ''
  const outcomes = slots.map((slot): Outcome => given[slot] ?? { kind: 'unknown', cause: undefined })
  const left = outcomes.flatMap((outcome, index) => {
    if (outcome.kind === 'applied') return []
    return [{ index, kind: outcome.kind, ...('cause' in outcome ? { cause: outcome.cause } : {}) }]
  })
  const [first] = left
  const cause = left.find((outcome) => outcome.cause !== undefined)?.cause
  return storeError(
    'WRITE_INCOMPLETE',
    `${left.length} of ${mutations.length} writes to '${table}' are not known to be applied, first the one at index ${first?.index}: ${first?.kind}. ` +
      `details.outcomes lists them all; puts and deletes are safe to repeat.`,
    { table, outcomes: left },
    cause === undefined ? {} : { cause },
  )
}
