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
  if (outcomes.every(({ kind }) => kind === 'applied') && outcomes.length === batch.length) return
  throw incomplete(mutations, slots, outcomes)
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

function incomplete(mutations: readonly Mutation[], slots: readonly number[], outcomes: readonly Outcome[]): Error {
  const table = mutations[0]?.schema.name ?? ''
  const left = slots.flatMap((slot, index) => {
    const kind = outcomes[slot]?.kind ?? 'unknown'
    return kind === 'applied' ? [] : [{ index, kind }]
  })
  const cause = outcomes.find((outcome) => 'cause' in outcome)
  return storeError(
    'WRITE_INCOMPLETE',
    `${left.length} of ${mutations.length} writes to '${table}' were not applied (first: index ${left[0]?.index}, ${left[0]?.kind}). ` +
      `details.outcomes lists them; 'unprocessed' ones are safe to repeat.`,
    { table, outcomes: left },
    cause !== undefined && 'cause' in cause ? { cause: cause.cause } : {},
  )
}
