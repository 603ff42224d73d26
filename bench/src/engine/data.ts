import type { Effort } from '../duel/duel.js'
import type { Machine } from '../machine.js'
import { nanoseconds, ratio, type Result } from '../report/results.js'
import { verdictsOf } from './report.js'

/** Everything that was measured, for programs. */
export function dataOf(machine: Machine, effort: Effort, results: readonly Result[]): object {
  const contests = results.map((result) => ({
    id: result.contest.id,
    title: result.contest.title,
    parties: result.standings.map(({ name, facts, failure, operations }) => ({
      name,
      failure,
      ...facts,
      operations: Object.fromEntries(
        [...operations].map(([operation, timed]) => [
          operation,
          {
            nanoseconds: nanoseconds(result, name, operation),
            ratio: ratio(result, name, result.contest.base, operation),
            rounds: timed.nanoseconds,
          },
        ]),
      ),
    })),
  }))
  return { machine, effort, contests, goals: verdictsOf(results) }
}
