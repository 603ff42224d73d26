import { availableParallelism } from 'node:os'
import type { Contest, Facts, Pace } from './contestant.js'
import { allocationFlags } from '../measure/allocation.js'
import { atMost } from './at-most.js'
import { ContestantProcess } from './process.js'
import type { Measured, Question } from './protocol.js'

/** How long and how often. */
export interface Effort {
  /** Sets of fresh processes: the engine does not compile the same way twice. */
  readonly generations: number
  /** Measurements of each operation per generation. */
  readonly rounds: number
  /** Pieces of one measurement. All contestants take turns piece by piece, for a machine may be slow for a tenth of a second. */
  readonly slices: number
  /** Length of a slice. */
  readonly milliseconds: number
  readonly warmUpMilliseconds: number
  /** Milliseconds until a contestant must be ready, and until each of its answers. */
  readonly patience: number
}

const usualPace: Pace = { warmUpCalls: 5000, leastCalls: 16, stretch: 1 }

/** Rounds in order, so that those of two contestants can be divided one by one. */
interface Timed {
  readonly nanoseconds: number[]
  /** On the wall. */
  readonly wall: number[]
  bytes?: number
}

export interface Standing {
  readonly name: string
  readonly facts: Facts
  readonly operations: Map<string, Timed>
  /** Why it has no figures; ends the sentence that begins with its name. */
  readonly failure?: string
}

/** All against all: one process per contestant. They start together; once time counts, only one of them is at work at a time. */
export async function duel(contest: Contest, worker: URL, given: Effort, connection = ''): Promise<readonly Standing[]> {
  const effort = stretched(given, contest)
  const standings = new Map<string, Standing>()
  for (let generation = 0; generation < effort.generations; generation++) {
    await withProcesses(contest, worker, connection, standings, effort.patience, (processes) =>
      timeRounds(contest, processes, standings, effort),
    )
  }
  if (contest.allocation) await measureAllocation(contest, worker, standings, effort)
  return [...contest.parties.keys()].map((name) => standings.get(name) as Standing)
}

async function withProcesses(
  contest: Contest,
  worker: URL,
  connection: string,
  standings: Map<string, Standing>,
  patience: number,
  work: (processes: readonly ContestantProcess[]) => Promise<void>,
): Promise<void> {
  const names = [...contest.parties.keys()].filter((name) => standings.get(name)?.failure === undefined)
  const started = await Promise.all(names.map(async (name) => startOrNote(contest, worker, name, connection, standings, patience)))
  const processes = started.filter((each) => each !== undefined)
  try {
    await work(processes)
  } finally {
    for (const each of processes) each.release()
  }
}

async function startOrNote(
  contest: Contest,
  worker: URL,
  name: string,
  connection: string,
  standings: Map<string, Standing>,
  patience: number,
): Promise<ContestantProcess | undefined> {
  try {
    const started = await ContestantProcess.start(worker, contest.id, name, [], connection, patience)
    if (!standings.has(name)) standings.set(name, { name, facts: started.facts, operations: timings(started.operations) })
    return started
  } catch (error) {
    fail(name, standings, error)
    return undefined
  }
}

/** Nobody else loses anything by it. */
function fail(name: string, standings: Map<string, Standing>, error: unknown): void {
  standings.set(name, { name, facts: {}, operations: new Map(), failure: (error as Error).message })
}

const timings = (operations: readonly string[]): Map<string, Timed> =>
  new Map(operations.map((name) => [name, { nanoseconds: [], wall: [] }]))

async function timeRounds(
  contest: Contest,
  processes: readonly ContestantProcess[],
  standings: Map<string, Standing>,
  effort: Effort,
): Promise<void> {
  const { warmUpCalls, leastCalls } = contest.pace ?? usualPace
  const ask = async (each: ContestantProcess, question: Question): Promise<Measured | undefined> => {
    if (standings.get(each.name)?.failure !== undefined) return undefined
    try {
      return await each.ask(question)
    } catch (error) {
      fail(each.name, standings, error)
      return undefined
    }
  }
  for (const operation of contest.operations) {
    const takingPart = processes.filter((each) => each.operations.includes(operation))
    for (const each of takingPart) {
      await ask(each, { ask: 'warm up', operation, calls: warmUpCalls, milliseconds: effort.warmUpMilliseconds })
    }
    for (let round = 0; round < effort.rounds; round++) {
      for (const [name, { number, wall }] of await timeRound(takingPart, operation, leastCalls, effort, ask)) {
        const timed = standings.get(name)?.operations.get(operation)
        timed?.nanoseconds.push(number)
        timed?.wall.push(wall)
      }
    }
  }
}

async function timeRound(
  takingPart: readonly ContestantProcess[],
  operation: string,
  leastCalls: number,
  { slices, milliseconds }: Effort,
  ask: (each: ContestantProcess, question: Question) => Promise<Measured | undefined>,
): Promise<ReadonlyMap<string, Required<Measured>>> {
  const means = new Map(takingPart.map(({ name }) => [name, { number: 0, wall: 0 }]))
  for (let slice = 0; slice < slices; slice++) {
    for (const each of rotated(takingPart, slice)) {
      const { number, wall = 0 } = (await ask(each, { ask: 'time', operation, calls: leastCalls, milliseconds })) ?? nothing
      const mean = means.get(each.name) as { number: number; wall: number }
      mean.number += number / slices
      mean.wall += wall / slices
    }
  }
  return means
}

const nothing: Measured = { number: 0 } // of a contestant that is out; nobody looks at it

const stretched = (effort: Effort, { pace = usualPace }: Contest): Effort => ({
  ...effort,
  milliseconds: effort.milliseconds * pace.stretch,
  warmUpMilliseconds: effort.warmUpMilliseconds * pace.stretch,
})

/** Nobody is always measured after the same neighbour. */
function rotated<T>(all: readonly T[], by: number): readonly T[] {
  const start = all.length === 0 ? 0 : by % all.length
  return [...all.slice(start), ...all.slice(0, start)]
}

/**
 * In processes of their own: the flags would change the times. Bytes do not depend on who else is at work, as long as the engine
 * has a processor to compile on.
 */
async function measureAllocation(contest: Contest, worker: URL, standings: Map<string, Standing>, effort: Effort): Promise<void> {
  const present = [...standings.values()].filter(({ failure, operations }) => failure === undefined && operations.size > 0)
  await atMost(Math.ceil(availableParallelism() / 2), present, async ({ name, operations }) => {
    try {
      const child = await ContestantProcess.start(worker, contest.id, name, allocationFlags, '', effort.patience)
      for (const [operation, timed] of operations) {
        await child.ask({ ask: 'warm up', operation, calls: usualPace.warmUpCalls, milliseconds: effort.warmUpMilliseconds })
        timed.bytes = (await child.ask({ ask: 'allocation', operation })).number
      }
      child.release()
    } catch (error) {
      fail(name, standings, error)
    }
  })
}
