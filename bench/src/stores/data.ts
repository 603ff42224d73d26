import type { Effort } from '../duel/duel.js'
import type { Machine } from '../machine.js'
import { nanoseconds, ratio, type Clock, type Result } from '../report/results.js'
import { verdictsOf } from './report.js'

/** Everything that was measured, for programs. */
export function dataOf(machine: Machine, effort: Effort, results: readonly Result[]): object {
  const contests = results.map((result) => ({
    id: result.contest.id,
    title: result.contest.title,
    missing: result.missing,
    server: result.serverVersion,
    parties: result.standings.map(({ name, failure, operations }) => ({
      name,
      failure,
      operations: Object.fromEntries(
        [...operations].map(([operation, timed]) => {
          const on = (clock: Clock): object => ({
            nanoseconds: nanoseconds(result, name, operation, clock),
            ratio: ratio(result, name, result.contest.base, operation, clock),
            rounds: timed[clock],
          })
          return [operation, { processor: on('nanoseconds'), wall: on('wall') }]
        }),
      ),
    })),
  }))
  return { machine, effort, contests, goals: verdictsOf(results) }
}
