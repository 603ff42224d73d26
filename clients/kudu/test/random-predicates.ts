import type { Random } from '../../../test/kit/seeded.js'
import type { Predicate, Value } from '../src/requests.js'
import type { TableColumn } from '../src/table.js'
import { compareValues, randomValue } from './random-values.js'

/** A predicate on a column. */
export function randomPredicate(random: Random, column: TableColumn): Predicate {
  const { name } = column
  const value = (): Value => randomValue(random, column)
  switch (random.below(7)) {
    case 0:
      return { column: name, isNull: random.below(2) === 0 }
    case 1:
      return { column: name, in: Array.from({ length: random.below(5) }, value) }
    case 2:
      return { column: name, from: value() }
    case 3:
      return { column: name, to: value() }
    case 4:
      return { column: name, from: value(), to: value() }
    default:
      return { column: name, equals: value() }
  }
}

/** Whether a value, or null, is what a predicate asks for. */
export function holdsFor(predicate: Predicate, value: Value | null): boolean {
  if ('isNull' in predicate) return predicate.isNull === (value === null)
  if (value === null) return false
  if ('equals' in predicate) return compareValues(value, predicate.equals) === 0
  if ('in' in predicate) return predicate.in.some((each) => compareValues(value, each) === 0)
  const { from, to } = predicate
  return (from === undefined || compareValues(value, from) >= 0) && (to === undefined || compareValues(value, to) < 0)
}
