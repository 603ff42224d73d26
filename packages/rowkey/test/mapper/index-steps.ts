import { memory, type Adapter } from 'rowkey'
import type { TableStore } from 'rowkey/adapter'

/** One program. Its calls of the store wait until it is its turn. */
export interface Actor {
  readonly name: string
  readonly mayDie: boolean
  run(adapter: Adapter): Promise<unknown>
}

/** What is chosen at a point: which program makes its next call, or dies before it. */
interface Choice {
  readonly actor: number
  readonly dies: boolean
}

interface Running {
  readonly actor: Actor
  /** Makes the call that waits; undefined: it has ended, or died. */
  proceed: (() => void) | undefined
  calls: number
  /** Resolves when it waits again, or has ended. */
  idle: Promise<void>
}

/** An adapter of its own on the same store: each call waits for its turn. */
function stepped(adapter: Adapter, turn: () => Promise<void>, planted: (adapter: Adapter) => Adapter): Adapter {
  const store = planted(adapter)
  const own = Object.create(store) as { -readonly [Name in keyof Adapter]: Adapter[Name] }
  own.write = async (batch, options) => {
    await turn()
    return store.write(batch, options)
  }
  own.table = (schema, catalog): TableStore => {
    const table = store.table(schema, catalog)
    const waiting = Object.create(table) as { -readonly [Name in keyof TableStore]: TableStore[Name] }
    waiting.get = async (keys, options) => {
      await turn()
      return table.get(keys, options)
    }
    waiting.scan = (slice, options) => {
      const source = table.scan(slice, options)
      return { next: async (want) => (await turn(), source.next(want)), close: () => source.close() }
    }
    waiting.fullScan = (checkpoint, options) => {
      const source = table.fullScan(checkpoint, options)
      return { next: async (want) => (await turn(), source.next(want)), close: () => source.close() }
    }
    return waiting
  }
  return own
}

/** Picks among so many choices. */
export type Pick = (count: number) => number

export interface Steps {
  readonly steps: number
  readonly choices: readonly number[]
}

/**
 * Runs programs on one store, one call at a time, each time of the program that `pick` chooses.
 *
 * @param begin fills the store
 * @param check is called after each call, with whether all programs have ended
 */
export async function runSteps(
  actors: readonly Actor[],
  pick: Pick,
  begin: (adapter: Adapter) => Promise<void>,
  check: (adapter: Adapter, hasEnded: boolean) => Promise<void>,
  planted: (adapter: Adapter) => Adapter = (adapter) => adapter,
): Promise<Steps> {
  const adapter = memory()
  await begin(adapter)
  const counts: number[] = []
  let steps = 0
  const running = actors.map((actor): Running => {
    const state: Running = { actor, proceed: undefined, calls: 0, idle: Promise.resolve() }
    let idle: () => void
    const waits = (): void => {
      state.idle = new Promise((resolve) => (idle = resolve))
    }
    waits()
    const turn = (): Promise<void> =>
      new Promise((resolve) => {
        state.proceed = () => {
          state.proceed = undefined
          state.calls++
          waits()
          resolve()
        }
        idle()
      })
    void actor.run(stepped(adapter, turn, planted)).then(
      () => {
        idle()
      },
      (error: unknown) => {
        failures.push(error)
        idle()
      },
    )
    return state
  })
  const failures: unknown[] = []
  await Promise.all(running.map(({ idle }) => idle))
  for (;;) {
    const choices = running.flatMap(({ proceed, actor, calls }, at): readonly Choice[] => {
      if (proceed === undefined) return []
      return actor.mayDie && calls > 0 ? [{ actor: at, dies: false }, { actor: at, dies: true }] : [{ actor: at, dies: false }] // prettier-ignore
    })
    if (failures.length > 0) throw failures[0]
    await check(adapter, choices.length === 0)
    if (choices.length === 0) return { steps, choices: counts }
    counts.push(choices.length)
    const { actor, dies } = choices[pick(choices.length)] as Choice
    const chosen = running[actor] as Running
    steps++
    if (dies) {
      chosen.proceed = undefined
      continue
    }
    chosen.proceed?.()
    await chosen.idle
  }
}

/** Every way in which the calls of programs can follow each other. Returns how many ways and calls there were. */
export async function allWays(run: (pick: Pick) => Promise<Steps>): Promise<{ readonly ways: number; readonly steps: number }> {
  let path: number[] = []
  let [ways, all] = [0, 0]
  for (;;) {
    let at = 0
    const taken: number[] = []
    const { steps, choices } = await run(() => {
      const choice = path[at++] ?? 0
      taken.push(choice)
      return choice
    })
    ways++
    all += steps
    let last = taken.length - 1
    while (last >= 0 && (taken[last] as number) + 1 >= (choices[last] as number)) last--
    if (last < 0) return { ways, steps: all }
    path = [...taken.slice(0, last), (taken[last] as number) + 1]
  }
}
