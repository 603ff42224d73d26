import { textTable } from '../text-table.js'
import type { Standing } from '../duel/duel.js'
import { bytes, nanoseconds, ratio, standing, type Result } from './results.js'
import { byteText, nanosecondText, spreadText } from './numbers.js'

/** Time, ratio and bytes of each operation, one party per line. `baseOf` says whom an operation is compared with. */
export function contestTable(result: Result, baseOf: (operation: string) => string, parties: readonly string[]): string {
  const { operations, allocation } = result.contest
  const standings = parties.map((party) => standing(result, party) as Standing)
  const hasKeys = standings.some(({ facts }) => facts.keyBytes !== undefined)
  const hasRows = standings.some(({ facts }) => facts.rowBytes !== undefined)
  const heads = [
    '',
    ...operations.flatMap((operation) => [operation, 'x', '', ...(allocation ? ['B/op'] : [])]),
    ...(hasKeys ? ['B/key'] : []),
    ...(hasRows ? ['B/row'] : []),
  ]
  const rows = standings.map((each) => {
    const cells = operations.flatMap((operation) => cellsOf(result, baseOf(operation), each, operation))
    return [
      each.name,
      ...cells,
      ...(hasKeys ? [each.facts.keyBytes?.toFixed(1) ?? ''] : []),
      ...(hasRows ? [each.facts.rowBytes?.toFixed(0) ?? ''] : []),
    ]
  })
  return [textTable(heads, rows), `x: times ${basesText(operations, baseOf)}`].join('\n')
}

/** Who has no figures, and why. */
export function absentText({ standings }: Result): readonly string[] {
  const failures = standings.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name} ${failure}`]))
  return failures.length === 0 ? [] : [failures.join('\n')]
}

function cellsOf(result: Result, base: string, { name, facts }: Standing, operation: string): readonly string[] {
  const wrong = facts.wrong?.[operation]
  const allocated = result.contest.allocation ? [byteText(bytes(result, name, operation))] : []
  if (wrong !== undefined) return ['', '', wrong, ...allocated]
  const time = nanoseconds(result, name, operation)
  if (time === undefined) return ['', '', '', ...allocated]
  const compared = ratio(result, name, base, operation)
  const [times, spread] = compared === undefined ? ['', ''] : spreadText(compared)
  return [`${nanosecondText(time.median)} ns`, times, spread, ...allocated]
}

function basesText(operations: readonly string[], baseOf: (operation: string) => string): string {
  const usual = baseOf(operations[0] as string)
  const others = operations.filter((operation) => baseOf(operation) !== usual)
  return [usual, ...others.map((operation) => `${operation}: times ${baseOf(operation)}`)].join('; ')
}
