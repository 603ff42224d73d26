import type { Mutation } from '../contract/writing.js'
import { rowkeyOf } from '../table/rowkey.js'
import { isUnconditional } from './repeatable.js'

/** Mutations that may go to the store at once: one per row. */
export interface Round {
  readonly batch: Mutation[]
  /** For each of `batch` the indexes of the inputs that it stands for. */
  readonly inputs: number[][]
}

interface Place {
  readonly round: number
  readonly slot: number
}

/**
 * Puts mutations into rounds, one after the other, with at most one mutation per row in each. Of unconditional ones for one row that
 * follow each other only the last is sent. Where conditions look at the row, each has a round of its own.
 */
export function roundsOf(mutations: readonly Mutation[]): readonly Round[] {
  const rounds: Round[] = []
  const places = new Map<string, Place>()
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

/** A row among those of all tables. */
export function rowOf({ schema, row }: Mutation): string {
  return `${schema.name} ${rowkeyOf(schema, row)}`
}
