import type { Effort } from '../../duel/duel.js'
import type { Machine } from '../../machine.js'
import { baseOf, nanoseconds, ratio, type Result } from '../../report/results.js'
import { verdictsOf } from './verdicts.js'

/** Everything that was measured, for programs. */
export function dataOf(machine: Machine, effort: Effort, results: readonly Result[]): object {
  return {
    machine,
    effort,
    contests: results.map((result) => ({
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
              base: baseOf(result, operation),
              ratio: ratio(result, name, baseOf(result, operation), operation),
              bytes: timed.bytes,
              rounds: timed.nanoseconds,
            },
          ]),
        ),
      })),
    })),
    goals: verdictsOf(results),
  }
}
