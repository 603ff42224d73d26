import { textTable } from '../../text-table.js'
import type { Spread } from '../../measure/statistics.js'
import { bytes, ratio, type Result } from '../../report/results.js'
import { goals, handWrittenGoal, type Goal } from './goals.js'
import { spreadText } from '../../report/numbers.js'

/** One goal and how one form of rowkey did. */
export interface Verdict extends Goal {
  readonly party: string
  readonly measured: Spread
  readonly load: number
  readonly hit: boolean
}

/** The forms of rowkey that goals are for, by column of the table. */
const forms: readonly { readonly title: string; readonly parties: readonly string[] }[] = [
  { title: 'rowkey', parties: ['rowkey', 'rowkey, compareRows', 'rowkey, bucketOf'] },
  { title: 'rows', parties: ['rowkey, rows'] },
  { title: '300 other layouts', parties: ['rowkey, 300 other layouts'] },
]

/** Of the contests that took place. */
export function verdictsOf(results: readonly Result[]): readonly Verdict[] {
  const parties = forms.flatMap((form) => form.parties)
  return goals.flatMap((goal) => parties.flatMap((party) => verdictOf(results, goal, party) ?? []))
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = goals.flatMap((goal) => {
    const found = verdicts.filter(({ contest, operation, against }) => sameGoal(goal, { contest, operation, against }))
    if (found.length === 0) return []
    const cells = forms.map(({ parties }) => cellOf(found.find(({ party }) => parties.includes(party))))
    return [[textOf(goal), `<= ${goal.limit}`, ...cells, found[0]?.load.toFixed(1) ?? '']]
  })
  return textTable(['', 'goal', ...forms.map(({ title }) => title), 'load'], rows)
}

const sameGoal = (goal: Goal, { contest, operation, against }: Omit<Goal, 'limit'>): boolean =>
  goal.contest === contest && goal.operation === operation && goal.against === against

const textOf = ({ contest, operation, against }: Goal): string =>
  `${contest === operation ? '' : `${contest} `}${operation}, ${against === 'bytes' ? 'bytes' : `x ${against}`}`

function cellOf(verdict: Verdict | undefined): string {
  if (verdict === undefined) return ''
  const { against, measured, hit } = verdict
  const text = against === 'bytes' ? measured.median.toFixed(0) : spreadText(measured).join(' ')
  return `${text} ${hit ? 'hit ' : 'MISS'}`
}

function verdictOf(results: readonly Result[], goal: Goal, party: string): Verdict | undefined {
  const result = results.find(({ contest }) => contest.id === goal.contest)
  const measured = result === undefined ? undefined : measure(result, goal, party)
  if (result === undefined || measured === undefined) return undefined
  // Less than a byte is an allocation every now and then that is none of the operation's.
  const hit = goal.against === 'bytes' ? Math.floor(measured.median) <= goal.limit : measured.median <= goal.limit
  return { ...goal, party, measured, load: result.load, hit }
}

function measure(result: Result, { against, operation }: Goal, party: string): Spread | undefined {
  if (against === 'bytes') {
    const found = bytes(result, party, operation)
    return found === undefined ? undefined : { median: found, low: found, high: found }
  }
  const base = against === handWrittenGoal && party.endsWith(', rows') ? `${against}, rows` : against
  return ratio(result, party, base, operation)
}
