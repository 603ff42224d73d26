import type { Operation } from './register.js'

/** Pairs of writes, the one with the earlier timestamp first. */
export type Earlier = readonly (readonly [earlier: Operation, later: Operation])[]

/**
 * What can be concluded about the timestamps of writes. Each write has one, for all of its rows. It was chosen after the call began, before the
 * call ended, and before anybody read the write.
 */
export class Timestamps {
  private readonly writes: readonly Operation[]
  /** When the timestamp of a write was chosen at the latest. */
  private readonly chosen: ReadonlyMap<Operation, number>

  constructor(history: readonly Operation[]) {
    this.writes = history.filter(({ call }) => call.kind === 'write')
    this.chosen = new Map(
      this.writes.map((write) => {
        const reads = history.filter(({ call, result }) => call.kind === 'get' && result.kind === 'done' && result.seen?.a === write.id)
        return [write, Math.min(write.returned ?? write.end, ...reads.map(({ end }) => end))]
      }),
    )
  }

  /** These pairs and one more; undefined if the second write is already known to be the earlier one. */
  add(known: Earlier, earlier: Operation, later: Operation): Earlier | undefined {
    if (this.isEarlier(known, later, earlier)) return undefined
    return this.isOver(earlier, later) ? known : [...known, [earlier, later]]
  }

  /** Whether it follows from the pairs, or from the times of the calls. */
  private isEarlier(known: Earlier, from: Operation, to: Operation): boolean {
    const reached = new Set([from])
    for (const at of reached) {
      if (at === to) return true
      for (const next of this.writes) {
        if (this.isOver(at, next) || known.some(([earlier, later]) => earlier === at && later === next)) reached.add(next)
      }
    }
    return false
  }

  private isOver(write: Operation, other: Operation): boolean {
    return (this.chosen.get(write) as number) < other.begin
  }
}
