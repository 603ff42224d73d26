import { acquire, release } from '@rowkey/servers'
import type { Contest } from './duel/contestant.js'
import { duel, type Effort } from './duel/duel.js'
import { machine, machineText, type Machine } from './machine.js'
import type { Options } from './options.js'
import type { Result } from './report/results.js'

/** A benchmark: its contests, the file that serves their contestants, and how it is told. */
export interface Benchmark {
  readonly contests: readonly Contest[]
  readonly worker: URL
  report(results: readonly Result[]): string
  dataOf(machine: Machine, effort: Effort, results: readonly Result[]): object
}

/** Runs the contests and puts the figures together. */
export async function runContests(
  { contests, worker, report, dataOf }: Benchmark,
  { effort, only }: Options,
  progress: (line: string) => void,
): Promise<{ readonly text: string; readonly data: object }> {
  const chosen = only === undefined ? contests : only.map((id) => contestOf(contests, id))
  const here = machine()
  const results: Result[] = []
  for (const contest of chosen) {
    const began = Date.now()
    const before = machine().load
    const held = await hold(contest, worker, effort)
    results.push({ contest, ...held, load: (before + machine().load) / 2 })
    progress(`${contest.id} (${results.length} of ${chosen.length}): ${Math.round((Date.now() - began) / 1000)} s`)
  }
  return { text: `${machineText(here)}\n\n${report(results)}`, data: dataOf(here, effort, results) }
}

/** With the server that it needs, which may be one of the user's own. */
async function hold(contest: Contest, worker: URL, effort: Effort): Promise<Omit<Result, 'contest' | 'load'>> {
  const { server } = contest
  if (server === undefined) return { standings: await duel(contest, worker, effort) }
  const acquired = await acquire(server).catch((error: unknown) => ({ missing: (error as Error).message }))
  if ('missing' in acquired) return { standings: [], missing: acquired.missing }
  try {
    return { standings: await duel(contest, worker, effort, JSON.stringify(acquired.connection)), serverVersion: acquired.version }
  } finally {
    await release(server)
  }
}

function contestOf(contests: readonly Contest[], id: string): Contest {
  const found = contests.find((contest) => contest.id === id)
  if (found === undefined) throw new Error(`there is no contest '${id}'. There are ${contests.map((each) => each.id).join(', ')}.`)
  return found
}
