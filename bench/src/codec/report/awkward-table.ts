import { textTable } from '../../text-table.js'
import type { Result } from '../../report/results.js'

/** Cases by codec. */
export function awkwardTable({ standings }: Result): string {
  const cases = Object.keys(standings[0]?.facts.cases ?? {})
  const rows = cases.map((name) => [name, ...standings.map(({ facts, failure }) => failure ?? facts.cases?.[name] ?? '')])
  return textTable(['', ...standings.map(({ name }) => name)], rows)
}
