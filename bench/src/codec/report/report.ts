import { baseOf, type Result } from '../../report/results.js'
import { awkwardTable } from './awkward-table.js'
import { absentText, contestTable } from '../../report/contest-table.js'
import { verdictsOf, verdictTable } from './verdicts.js'

/** All tables of a run. */
export function report(results: readonly Result[]): string {
  const verdicts = verdictsOf(results)
  const goals = verdicts.length === 0 ? [] : [section('goals', verdictTable(verdicts), summary(verdicts))]
  return [legend, ...results.map(sectionOf), ...goals].join('\n\n')
}

const legend = `Times are medians of rounds; after a ratio stands the range of the middle half of the rounds. B/op: bytes allocated per call.
into: into memory that is used again. rowkey and the hand-written code put instants and orders in descending order; the others
cannot, take ready arrays and put everything in ascending order.`

function sectionOf(result: Result): string {
  const { id, title, operations } = result.contest
  const names = result.standings.filter(({ failure }) => failure === undefined).map(({ name }) => name)
  const heading = `${id}: ${title}`
  if (operations.length === 0) return section(heading, awkwardTable(result), awkwardNotes, ...absentText(result))
  const tables = [contestTable(result, (operation) => baseOf(result, operation), names)]
  for (const reference of names.filter((name) => name.startsWith('hand-written'))) {
    const rows = reference.endsWith('rows')
    const compared = names.filter((name) => (name.startsWith('rowkey') && name.endsWith('rows') === rows) || name === reference)
    tables.push(contestTable(result, () => reference, compared))
  }
  return section(heading, ...tables, ...absentText(result))
}

function summary(verdicts: ReturnType<typeof verdictsOf>): string {
  const hits = verdicts.filter(({ hit }) => hit).length
  return `${hits} of ${verdicts.length} hit`
}

const awkwardNotes =
  'order N/M: N of M neighbours out of order. changed N/M: N of M keys come back different. refused: an error, nothing is written.\n' +
  'rowkey gives 0 for -0, and says so (KEY-30).'

const section = (heading: string, ...parts: readonly string[]): string =>
  [heading, '='.repeat(heading.length), parts.join('\n\n')].join('\n')
