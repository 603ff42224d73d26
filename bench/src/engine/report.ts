import type { Result } from '../report/results.js'
import type { Spread } from '../measure/statistics.js'
import { absentText, contestTable } from '../report/contest-table.js'
import { spreadText } from '../report/numbers.js'
import { ratio, standing } from '../report/results.js'
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
  const tables = results.map((result) => {
    const { id, title, base } = result.contest
    const names = result.standings.filter(({ failure }) => failure === undefined).map(({ name }) => name)
    return section(
      `${id}: ${title}`,
      contestTable(result, () => base, names),
      ...absentText(result),
    )
  })
  const rows = verdicts.map(({ contest, party, operation, against, limit, measured, load, hit }) => [
    `${contest} ${party}: ${operation === 'row' ? 'memory per row' : operation}, x ${against}`,
    `<= ${limit}`,
    ...spreadText(measured),
    hit ? 'hit ' : 'MISS',
    load.toFixed(1),
  ])
  const summary = `${verdicts.filter(({ hit }) => hit).length} of ${verdicts.length} hit`
  const goalSection = verdicts.length === 0 ? [] : [section('goals', textTable(['', 'goal', 'x', '', '', 'load'], rows), summary)]
  return [legend, ...tables, ...goalSection].join('\n\n')
}

const legend = `Times are medians of rounds; after a ratio stands the range of the middle half of the rounds. B/row: memory per row, its key included.
memory-level and lmdb hold 40 bytes per row instead of an array; their writes are not compared: a call does not end with the write.`

/** Of the contests that took place. */
export function verdictsOf(results: readonly Result[]): readonly Verdict[] {
  return goals.flatMap((goal) => {
    const result = results.find(({ contest }) => contest.id === goal.contest)
    const measured = result === undefined ? undefined : measure(result, goal)
    if (result === undefined || measured === undefined) return []
    return [{ ...goal, measured, load: result.load, hit: measured.median <= goal.limit }]
  })
}

function measure(result: Result, { party, operation, against }: Goal): Spread | undefined {
  if (operation !== 'row') return ratio(result, party, against, operation)
  const [own, other] = [party, against].map((name) => standing(result, name)?.facts.rowBytes)
  if (own === undefined || other === undefined) return undefined
  return { median: own / other, low: own / other, high: own / other }
}

const section = (heading: string, ...parts: readonly string[]): string =>
  [heading, '='.repeat(heading.length), parts.join('\n\n')].join('\n')
