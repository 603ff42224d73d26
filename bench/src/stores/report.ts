import type { Spread } from '../measure/statistics.js'
import type { Standing } from '../duel/duel.js'
import { absentText } from '../report/contest-table.js'
import { spreadText } from '../report/numbers.js'
import { nanoseconds, ratio, type Result } from '../report/results.js'
import { textTable } from '../text-table.js'
import { goals, type Goal } from './goals.js'

/** A goal and how rowkey did. */
export interface Verdict extends Goal {
  readonly measured: Spread
  readonly load: number
  readonly hit: boolean
}

/** All tables of a run. */
export function report(results: readonly Result[]): string {
  const verdicts = verdictsOf(results)
  const rows = verdicts.map(({ contest, party, operation, against, limit, measured, load, hit, clock }) => [
    `${contest} ${party}: ${operation}, x ${against}${clock === 'wall' ? ', wall' : ''}`,
    `<= ${limit}`,
    ...spreadText(measured),
    hit ? 'hit ' : 'MISS',
    load.toFixed(1),
  ])
  const summary = `${verdicts.filter(({ hit }) => hit).length} of ${verdicts.length} hit`
  const goalSection = verdicts.length === 0 ? [] : [section('goals', textTable(['', 'goal', 'x', '', '', 'load'], rows), summary)]
  return [legend, ...results.map(contestText), ...goalSection].join('\n\n')
}

const legend = `Microseconds per call are medians of rounds: of the client's main thread on the processor, then on the wall. After each stands how many times
as long it is as that of the first party, and the range of the middle half of the rounds.`

/** One table for each operation: the parties are many, and few of them can do all. */
function contestText(result: Result): string {
  const { id, title, operations, base } = result.contest
  if (result.missing !== undefined) return section(`${id}: ${title}`, `It does not take place: ${result.missing}`)
  const present = result.standings.filter(({ failure }) => failure === undefined)
  const tables = operations.flatMap((operation) => {
    const rows = present.filter(({ operations }) => (operations.get(operation)?.nanoseconds.length ?? 0) > 0)
    if (rows.length === 0) return []
    return textTable(
      [operation, 'us', 'x', '', 'wall us', 'x', ''],
      rows.map((each) => [each.name, ...cellsOf(result, each, operation, 'nanoseconds'), ...cellsOf(result, each, operation, 'wall')]),
    )
  })
  const server = result.serverVersion === undefined ? [] : [`Server: ${result.contest.server} ${result.serverVersion}; x: times ${base}`]
  return section(`${id}: ${title}`, ...server, ...tables, ...absentText(result))
}

function cellsOf(result: Result, { name }: Standing, operation: string, clock: 'nanoseconds' | 'wall'): readonly string[] {
  const time = nanoseconds(result, name, operation, clock)
  const times = ratio(result, name, result.contest.base, operation, clock)
  return [time === undefined ? '' : (time.median / 1000).toFixed(0), ...(times === undefined ? ['', ''] : spreadText(times))]
}

/** Of the contests that took place. */
export function verdictsOf(results: readonly Result[]): readonly Verdict[] {
  return goals.flatMap((goal) => {
    const result = results.find(({ contest }) => contest.id === goal.contest)
    const measured = result && ratio(result, goal.party, goal.against, goal.operation, goal.clock)
    return measured === undefined || Number.isNaN(measured.median) || result === undefined
      ? []
      : [{ ...goal, measured, load: result.load, hit: measured.median <= goal.limit }]
  })
}

const section = (heading: string, ...parts: readonly string[]): string =>
  [heading, '='.repeat(heading.length), parts.join('\n\n')].join('\n')
