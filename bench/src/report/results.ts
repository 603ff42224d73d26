import type { Contest } from '../duel/contestant.js'
import type { Standing } from '../duel/duel.js'
import { spreadOf, type Spread } from '../measure/statistics.js'

/** What a contest gave. */
export interface Result {
  readonly contest: Contest
  readonly standings: readonly Standing[]
  /** Runnable processes while it ran, its own among them: the mean of before and after. */
  readonly load: number
  /** Why the contest did not take place. */
  readonly missing?: string
  readonly serverVersion?: string
}

/** One operation of one party; undefined if it was not measured. */
export function nanoseconds(result: Result, party: string, operation: string, clock: Clock = 'nanoseconds'): Spread | undefined {
  const rounds = roundsOf(result, party, operation, clock)
  return rounds === undefined ? undefined : spreadOf(rounds)
}

/** Whom a contest compares this operation with. */
export function baseOf({ contest }: Result, operation: string): string {
  return contest.otherBase?.[operation] ?? contest.base
}

/** How many times as long `party` takes as `base`, round by round: a machine that is slow for a while is slow for both. */
export function ratio(result: Result, party: string, base: string, operation: string, clock: Clock = 'nanoseconds'): Spread | undefined {
  const above = roundsOf(result, party, operation, clock)
  const below = roundsOf(result, base, operation, clock)
  if (above === undefined || below === undefined) return undefined
  return spreadOf(above.map((each, i) => each / (below[i] as number)))
}

export function bytes(result: Result, party: string, operation: string): number | undefined {
  return standing(result, party)?.operations.get(operation)?.bytes
}

export function standing({ standings }: Result, party: string): Standing | undefined {
  return standings.find(({ name }) => name === party)
}

/** The clock that a figure is of. */
export type Clock = 'nanoseconds' | 'wall'

function roundsOf(result: Result, party: string, operation: string, clock: Clock): readonly number[] | undefined {
  return standing(result, party)?.operations.get(operation)?.[clock]
}
