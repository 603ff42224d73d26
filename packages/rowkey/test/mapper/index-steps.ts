import { createHash } from 'node:crypto'
import type { Program } from './index-program.js'

/** The store that programs share. */
export interface World {
  /** As it is before each run. */
  reset(): void
  /** What it contains, and what a reader may have seen of it. Throws if a row has no entry. */
  look(): { readonly all: string; readonly seen: string }
  /** Is called when all programs have ended or died. */
  end(): Promise<void>
}

/** Chooses what happens. */
export interface Guide {
  pick(count: number, of: 'turn' | 'death'): number
  /** Whether to go on from a state that this names. */
  visit(state: () => string): boolean
  /** Whether the steps up to here were looked at in an earlier run. */
  readonly isReplay: boolean
}

/** Runs programs on one store, one call at a time. Returns how many calls were made. */
export async function runSteps(programs: readonly Program[], guide: Guide, world: World): Promise<number> {
  world.reset()
  for (const each of programs) each.start()
  try {
    for (const each of programs) await each.idle
    return await inTurns(programs, guide, world)
  } finally {
    for (const each of programs) await each.die()
  }
}

async function inTurns(programs: readonly Program[], guide: Guide, world: World): Promise<number> {
  let now = world.look()
  for (let steps = 0; ; steps++) {
    for (const { failure } of programs) if (failure !== undefined) throw failure.error
    const isInside = programs.some((each) => each.isInside)
    const choices = programs.filter((each) => each.waits && !(isInside && each.actor.kind === 'time'))
    if (choices.length === 0) {
      await world.end()
      return steps
    }
    const chosen = choices[guide.pick(choices.length, 'turn')] as Program
    chosen.seen.add(now.seen)
    await chosen.step()
    if (chosen.actor.kind === 'writer' && chosen.waits && guide.pick(2, 'death') === 1) await chosen.die()
    now = world.look()
    for (const { seen } of programs) if (seen.size > 0) seen.add(now.seen)
    const { all } = now
    if (!guide.isReplay && !guide.visit(() => stateOf(all, programs))) return steps + 1
  }
}

/** The random part of versions makes no difference: writes have different clocks. */
const random = /([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}/g

function stateOf(all: string, programs: readonly Program[]): string {
  const each = programs.map(({ log, isDead, actor, seen }) => [log, isDead, actor.kind === 'reader' ? [...seen].sort() : []].join('|'))
  const text = [all, ...each].join('\n').replaceAll(random, '$1')
  return createHash('sha1').update(text).digest('base64')
}

/**
 * Every way in which the calls of programs can follow each other, with a death after each call. From a state that was there before nothing is run again:
 * what the programs will do depends on the store and the answers that they have got. Returns how many states there are, and how many runs showed them.
 */
export async function allWays(programs: readonly Program[], world: World): Promise<{ readonly states: number; readonly runs: number }> {
  const known = new Set<string>()
  let path: readonly number[] = []
  for (let runs = 1; ; runs++) {
    const taken: number[] = []
    const counts: number[] = []
    const guide: Guide = {
      pick(count) {
        const choice = path[taken.length] ?? 0
        taken.push(choice)
        counts.push(count)
        return choice
      },
      get isReplay() {
        return taken.length < path.length
      },
      visit(state) {
        const { size } = known
        return known.add(state()).size > size
      },
    }
    await runSteps(programs, guide, world)
    let last = taken.length - 1
    while (last >= 0 && (taken[last] as number) + 1 >= (counts[last] as number)) last--
    if (last < 0) return { states: known.size, runs }
    path = [...taken.slice(0, last), (taken[last] as number) + 1]
  }
}
