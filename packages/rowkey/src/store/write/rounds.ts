import { keyOf, type Mutation } from '../contract/writing.js'
import { latin1String } from '#codec/internal'
import { isUnconditional } from './retryable.js'

/** Mutations that may go to the store together: one per row. */
export interface Round {
  readonly batch: Mutation[]
  /** For each mutation of `batch`, the indexes of the inputs that it represents. */
  readonly inputs: number[][]
}

/** Where a row has its last mutation. */
export interface Place {
  readonly round: number
  readonly slot: number
}

/**
 * Divides mutations into consecutive rounds with at most one mutation per row each. Of consecutive unconditional mutations of one row only
 * the last is sent. Conditional mutations of one row each get a round of their own.
 *
 * @param places gets the rows
 */
export function roundsOf(mutations: readonly Mutation[], places: Map<string, Place> = new Map<string, Place>()): readonly Round[] {
  const rounds: Round[] = []
  mutations.forEach((mutation, index) => {
    const row = rowOf(mutation)
    const place = places.get(row)
    const before = place === undefined ? undefined : rounds[place.round]
    if (place !== undefined && before !== undefined && isUnconditional(mutation) && isUnconditional(before.batch[place.slot] as Mutation)) {
      before.batch[place.slot] = mutation
      before.inputs[place.slot]?.push(index)
      return
    }
    const round = place === undefined ? 0 : place.round + 1
    const { batch, inputs } = (rounds[round] ??= { batch: [], inputs: [] })
    places.set(row, { round, slot: batch.push(mutation) - 1 })
    inputs.push([index])
  })
  return rounds
}

/** Identifies a row among those of all tables. */
export function rowOf(mutation: Mutation): string {
  return `${mutation.schema.name} ${latin1String(keyOf(mutation).bytes)}`
}
