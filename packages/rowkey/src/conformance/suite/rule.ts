import type { Capabilities } from '#store/adapter'
import type { World } from './world.js'

/** What a store may lack. A rule that needs it is replaced by one that tests the refusal. */
export type Need = 'reverse' | 'conditions' | 'versions' | 'columns' | 'atomic batches' | 'atomic tables' | 'byte order'

/** The largest atomic batch that the rules write. */
const maxInBatch = 3

/** One thing that holds on every store. */
export interface Rule {
  /** Starts with the ids of rules of the store contract. */
  readonly title: string
  readonly needs: readonly Need[]
  /** Whether it closes its adapter and therefore needs its own. */
  readonly alone?: true
  run(world: World): Promise<void>
}

/** What holds, by title. */
export function rule(title: string, run: (world: World) => Promise<void>, ...needs: readonly Need[]): Rule {
  return { title, run, needs }
}

/** Why a rule cannot hold with these capabilities; undefined if it must. */
export function lackOf(need: Need, { reverse, conditions, atomic, keyOrder }: Capabilities): string | undefined {
  switch (need) {
    case 'reverse':
      return reverse ? undefined : 'capabilities.reverse is false'
    case 'conditions':
      return conditions === 'none' ? "capabilities.conditions is 'none'" : undefined
    case 'versions':
      return conditions === 'version' || conditions === 'columns' ? undefined : `capabilities.conditions is '${conditions}'`
    case 'columns':
      return conditions === 'columns' ? undefined : `capabilities.conditions is '${conditions}'`
    case 'atomic batches':
      return atomic.scope === 'row' || atomic.max < maxInBatch ? `capabilities.atomic is ${atomic.scope}, ${atomic.max}` : undefined
    case 'byte order':
      return keyOrder === undefined ? undefined : `capabilities.keyOrder is '${keyOrder}'`
    case 'atomic tables':
      return atomic.scope === 'store' ? undefined : `capabilities.atomic.scope is '${atomic.scope}'`
  }
}
