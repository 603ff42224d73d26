import { checkList, checkNames, checkObject, each, kindOf, Refusal, type Names } from '../refusal.js'
import type { Predicate, Value } from '../requests.js'
import type { KuduTable } from '../table.js'
import { cellOf, greatest, nextOf, orderedOf, smallest, type Ordered } from './keys.js'
import { BOOL, columnNamed, layoutOf, pathOf, type CellColumn } from './layout.js'

/** All that is asked for one column, as one condition. */
export type Condition =
  | { readonly type: 'equality'; readonly value: Ordered }
  | { readonly type: 'inList'; readonly values: readonly Ordered[] }
  | { readonly type: 'range'; readonly lower: Ordered | undefined; readonly upper: Ordered | undefined }
  | { readonly type: 'isNull' }
  | { readonly type: 'isNotNull' }
  | { readonly type: 'none' }

/** Conditions by the columns that have one. */
export type Conditions = ReadonlyMap<CellColumn, Condition>

/** The message `ColumnPredicatePB`. */
export interface ColumnPredicate {
  readonly column: string
  readonly equality?: { readonly value: Uint8Array }
  readonly inList?: { readonly values: readonly Uint8Array[] }
  readonly range?: { readonly lower?: Uint8Array; readonly upper?: Uint8Array }
  readonly isNull?: object
  readonly isNotNull?: object
}

const none: Condition = { type: 'none' }
const isNotNull: Condition = { type: 'isNotNull' }

/** Conditions as the server takes them, one for a column. */
export const predicatesOf = (conditions: Conditions): readonly ColumnPredicate[] =>
  [...conditions].map(([column, condition]) => messageOf(column, condition))

/** What predicates ask for each column. Undefined: no row can hold them all. */
export function conditionsOf(table: KuduTable, where: readonly Predicate[] | undefined): Conditions | undefined {
  const conditions = new Map<CellColumn, Condition>()
  if (where === undefined) return conditions
  const layout = layoutOf(table.columns)
  let isEmpty = false
  checkList('where', where)
  each('where', where, (predicate) => {
    checkObject('', predicate)
    const column = columnNamed(layout, predicate.column)
    const condition = conditionOf(column, predicate)
    const before = conditions.get(column)
    const merged = before === undefined ? condition : merge(column, before, condition)
    conditions.set(column, merged)
    if (merged.type === 'none') isEmpty = true
  })
  return isEmpty ? undefined : conditions
}

/** Predicates have one of these, or a part of a range. */
interface AnyPredicate {
  readonly column: string
  readonly equals?: Value | undefined
  readonly in?: readonly Value[] | undefined
  readonly from?: Value | undefined
  readonly to?: Value | undefined
  readonly isNull?: boolean | undefined
}
const predicateNames: Names<AnyPredicate> = { column: true, equals: true, in: true, from: true, to: true, isNull: true }

function conditionOf(column: CellColumn, given: Predicate): Condition {
  const predicate: AnyPredicate = given
  checkNames(predicate, predicateNames)
  const { equals, in: list, from, to, isNull } = predicate
  const has = [equals !== undefined, list !== undefined, from !== undefined || to !== undefined, isNull !== undefined]
  const count = has.filter(Boolean).length
  if (count !== 1)
    throw new Refusal('', `has ${count === 0 ? 'no condition' : 'several conditions'}. Give one of equals, in, from and to, isNull`)
  if (isNull !== undefined) {
    if (typeof isNull !== 'boolean') throw new Refusal('isNull', `is ${kindOf(isNull)}. Give true or false`)
    return isNull ? (column.isNullable ? { type: 'isNull' } : none) : isNotNull
  }
  if (equals !== undefined) return { type: 'equality', value: operand('equals', column, equals) }
  if (list !== undefined) {
    checkList('in', list)
    const values: Ordered[] = []
    each('in', list, (value) => void values.push(operand('', column, value)))
    return inList(column, sortedOnce(values))
  }
  const range = from === undefined ? isNotNull : fromCondition(column, operand('from', column, from))
  return to === undefined ? range : merge(column, range, toCondition(column, operand('to', column, to)))
}

/** A value in order. What is wrong with it is told with the name of its column. */
function operand(path: string, column: CellColumn, value: Value): Ordered {
  if (typeof value === 'number' && Number.isNaN(value)) throw new Refusal(path, 'is NaN, which Kudu takes as equal to every number')
  try {
    return orderedOf(column, value)
  } catch (error) {
    // The name of the column is the place within a row; here it is a part of what is wrong.
    if (error instanceof Refusal && error.path === pathOf(column.name)) throw new Refusal(path, error.problem)
    throw error
  }
}

/** At least this value. */
function fromCondition(column: CellColumn, lower: Ordered): Condition {
  if (lower.equals(smallest(column))) return isNotNull
  const largest = greatest(column)
  return largest !== undefined && lower.equals(largest) ? { type: 'equality', value: lower } : { type: 'range', lower, upper: undefined }
}

/** Less than this value. */
function toCondition(column: CellColumn, upper: Ordered): Condition {
  const least = smallest(column)
  if (upper.equals(least)) return none
  return column.kind === BOOL ? { type: 'equality', value: least } : { type: 'range', lower: undefined, upper }
}

function sortedOnce(values: readonly Ordered[]): Ordered[] {
  const sorted = [...values].sort((a, b) => Buffer.compare(a, b))
  return sorted.filter((value, index) => index === 0 || !value.equals(sorted[index - 1] as Ordered))
}

/** Values in order, each once. */
function inList(column: CellColumn, values: readonly Ordered[]): Condition {
  const [first] = values
  if (first === undefined) return none
  if (values.length === 1) return { type: 'equality', value: first }
  return column.kind === BOOL ? isNotNull : { type: 'inList', values }
}

/** Both conditions, as one. */
function merge(column: CellColumn, a: Condition, b: Condition): Condition {
  if (a.type === 'none' || b.type === 'none') return none
  if (a.type === 'isNull' || b.type === 'isNull') return a.type === b.type ? a : none
  if (a.type === 'isNotNull') return b
  if (b.type === 'isNotNull') return a
  if (a.type === 'equality') return holds(b, a.value) ? a : none
  if (b.type === 'equality') return holds(a, b.value) ? b : none
  if (a.type === 'inList')
    return inList(column, a.type === b.type ? common(a.values, b.values) : a.values.filter((value) => holds(b, value)))
  if (b.type === 'inList') return merge(column, b, a)
  return rangeOf(column, later(a.lower, b.lower), earlier(a.upper, b.upper))
}

/** Values of both lists. */
function common(a: readonly Ordered[], b: readonly Ordered[]): Ordered[] {
  const values = new Set(b.map((value) => value.toString('latin1')))
  return a.filter((value) => values.has(value.toString('latin1')))
}

function rangeOf(column: CellColumn, lower: Ordered | undefined, upper: Ordered | undefined): Condition {
  if (lower === undefined || upper === undefined) return { type: 'range', lower, upper }
  if (Buffer.compare(lower, upper) >= 0) return none
  const next = nextOf(column, lower)
  return next?.equals(upper) === true ? { type: 'equality', value: lower } : { type: 'range', lower, upper }
}

const later = (a: Ordered | undefined, b: Ordered | undefined): Ordered | undefined =>
  a === undefined || (b !== undefined && Buffer.compare(a, b) < 0) ? b : a

const earlier = (a: Ordered | undefined, b: Ordered | undefined): Ordered | undefined =>
  a === undefined || (b !== undefined && Buffer.compare(a, b) > 0) ? b : a

/** Whether a value is what a condition other than null asks for. */
function holds(condition: Condition, value: Ordered): boolean {
  if (condition.type === 'equality') return value.equals(condition.value)
  if (condition.type === 'inList') return condition.values.some((each) => each.equals(value))
  if (condition.type !== 'range') return false
  const { lower, upper } = condition
  return (lower === undefined || Buffer.compare(value, lower) >= 0) && (upper === undefined || Buffer.compare(value, upper) < 0)
}

function messageOf(column: CellColumn, condition: Condition): ColumnPredicate {
  const { name } = column
  switch (condition.type) {
    case 'equality':
      return { column: name, equality: { value: cellOf(column, condition.value) } }
    case 'inList':
      return { column: name, inList: { values: condition.values.map((value) => cellOf(column, value)) } }
    case 'range': {
      const { lower, upper } = condition
      const range = {
        ...(lower === undefined ? {} : { lower: cellOf(column, lower) }),
        ...(upper === undefined ? {} : { upper: cellOf(column, upper) }),
      }
      return { column: name, range }
    }
    case 'isNull':
      return { column: name, isNull: {} }
    default:
      return { column: name, isNotNull: {} }
  }
}
