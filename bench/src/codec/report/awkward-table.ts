import { textTable } from '../../text-table.js'
import type { Result } from '../../report/results.js'

/** Cases by codec. */
export function awkwardTable({ standings }: Result): string {
  const present = standings.filter(({ failure }) => failure === undefined)
  const cases = Object.keys(present[0]?.facts.cases ?? {})
  const rows = cases.map((name) => [name, ...present.map(({ facts }) => facts.cases?.[name] ?? '')])
  return textTable(['', ...present.map(({ name }) => name)], rows)
}
