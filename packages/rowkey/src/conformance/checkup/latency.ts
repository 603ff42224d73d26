// Tested by checkup.test.ts.
import { isPromise, type MaybePromise } from '#store/adapter'

/** The calls of an adapter that are timed, apart from those that only open something. */
export type TimedCall = 'get' | 'scan' | 'full scan' | 'write one' | 'write many' | 'purge' | 'splits' | 'create' | 'describe' | 'drop'

/** How long calls of one kind took, in milliseconds. Calls that failed are not among them. */
export interface CallLatency {
  readonly call: TimedCall
  readonly count: number
  readonly median: number
  readonly p99: number
}

/** The times of calls by their kind. */
export class Latencies {
  private readonly times = new Map<TimedCall, number[]>()

  /** Times a call that may answer immediately or later. */
  timed<T>(call: TimedCall, run: () => MaybePromise<T>): MaybePromise<T> {
    const begin = performance.now()
    const answer = run()
    if (!isPromise(answer)) {
      this.add(call, begin)
      return answer
    }
    return answer.then((value) => {
      this.add(call, begin)
      return value
    })
  }

  /** Those that occurred, the most frequent first. */
  list(): readonly CallLatency[] {
    return [...this.times]
      .map(([call, times]) => {
        const sorted = times.toSorted((a, b) => a - b)
        return { call, count: sorted.length, median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
      })
      .sort((a, b) => b.count - a.count)
  }

  private add(call: TimedCall, begin: number): void {
    const times = this.times.get(call) ?? []
    times.push(performance.now() - begin)
    this.times.set(call, times)
  }
}

/** The smallest value that such a share of all does not exceed. */
const quantile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) * 1000) / 1000
