import type { Capabilities } from '@rowkey/store'
import type { World } from './world.js'

/** What a store may lack; a rule that needs it gives way to one that sees the refusal. */
export type Need = 'reverse' | 'conditions' | 'versions' | 'atomic batches' | 'atomic tables'

/** The longest atomic batch that the rules write. */
const mostInBatch = 3

/** One thing that holds on every store. */
export interface Rule {
  /** Begins with the ids of rules of the store contract. */
  readonly title: string
  readonly needs: readonly Need[]
  /** Closes its adapter, so it gets one of its own. */
  readonly alone?: true
  run(world: World): Promise<void>
}

/** What holds, by title. */
export function rule(title: string, run: (world: World) => Promise<void>, ...needs: readonly Need[]): Rule {
  return { title, run, needs }
}

/** Why a rule cannot hold with these capabilities; undefined if it must. */
export function lackOf(need: Need, { reverse, conditions, atomic }: Capabilities): string | undefined {
  switch (need) {
    case 'reverse':
      return reverse ? undefined : 'capabilities.reverse is false'
    case 'conditions':
      return conditions === 'none' ? "capabilities.conditions is 'none'" : undefined
    case 'versions':
      return conditions === 'version' ? undefined : `capabilities.conditions is '${conditions}'`
    case 'atomic batches':
      return atomic.scope === 'row' || atomic.max < mostInBatch ? `capabilities.atomic is ${atomic.scope}, ${atomic.max}` : undefined
    case 'atomic tables':
      return atomic.scope === 'store' ? undefined : `capabilities.atomic.scope is '${atomic.scope}'`
  }
}
