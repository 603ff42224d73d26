import { type Bound, isRowkeyError, type Value } from '#codec'
import type { TableSchema } from '#model'
import { computedColumns } from '#model/internal'
import type { Predicate } from '../predicate/column-set.js'
import { sentenceOf, show, showName, showNames } from '#codec/internal'
import { storeError } from '../errors.js'
import { clipPlan } from '../plan/clip.js'
import { orderedColumns, type ScanOrder } from '../plan/order.js'
import type { Plan } from '../plan/plan.js'
import { inPredicateOn } from '../predicate/column-rules.js'
import { rulesOf } from '../predicate/shape.js'

/**
 * Where a scan starts and ends in its own order, as keys. A key may be whole, or the first columns in the order of the scan; columns that
 * the predicate binds to one value may be left out. `from` and `to` include the rows that start with the key, `after` and `before` do not.
 */
export interface KeyBounds {
  readonly from?: object | undefined
  readonly after?: object | undefined
  readonly to?: object | undefined
  readonly before?: object | undefined
}

type Option = keyof KeyBounds

const options: readonly Option[] = ['from', 'after', 'to', 'before']

/** A bound of a scan, its values in the order of the scan. */
export interface ScanBound {
  readonly option: Option
  readonly bound: Bound
}

/** @throws RowkeyError `INVALID_PREDICATE`; `INVALID_OPTION` for two starts or two ends */
export function keyBounds(schema: TableSchema, predicate: Predicate, order: ScanOrder, given: KeyBounds): readonly ScanBound[] {
  for (const [one, other] of [
    ['from', 'after'],
    ['to', 'before'],
  ] as const) {
    if (given[one] === undefined || given[other] === undefined) continue
    const message = `the scan of '${schema.name}' has both ${one} and ${other}. Give one of them.`
    throw storeError('INVALID_OPTION', message, { option: other, value: show(given[other]) })
  }
  return options.flatMap((option) => {
    const key = given[option]
    if (key === undefined) return []
    const isStart = option === 'from' || option === 'after'
    const isInclusive = option === 'from' || option === 'to'
    const edge = isStart === isInclusive ? 'before' : 'after' // in the direction of the scan
    const prefix = prefixOf(schema, predicate, order, option, key)
    return [{ option, bound: { prefix, edge: order.reverse === (edge === 'before') ? 'after' : 'before' } }]
  })
}

/** The part of a plan between its bounds. */
export function planBetween(schema: TableSchema, plan: Plan, order: ScanOrder, bounds: readonly ScanBound[]): Plan {
  return bounds.reduce((rest, { option, bound }) => {
    const isEnd = option === 'to' || option === 'before'
    return clipPlan(schema, rest, bound, isEnd ? { ...order, reverse: !order.reverse } : order)
  }, plan)
}

function prefixOf(schema: TableSchema, predicate: Predicate, { merged }: ScanOrder, option: Option, given: object): readonly Value[] {
  const { columns, keyLength } = schema
  const order = orderedColumns(keyLength, merged)
  const names = order.map((at) => columns[at]?.name ?? '')
  const refuse = (column: string, what: string): Error => refused(schema, option, column, what)
  if (typeof given !== 'object' || (given as object | null) === null || Array.isArray(given) || given instanceof Promise)
    throw refuse('', ` cannot be ${show(given)}. Give a key, its first columns, or a row.`)
  const values = given as Readonly<Record<string, unknown>>
  const isGiven = (at: number): boolean => values[columns[at]?.name ?? ''] !== undefined
  const isWhole = order.every(isGiven)
  for (const name of Object.keys(given)) {
    const at = columns.findIndex((column) => column.name === name)
    if (at >= 0 && (at < keyLength || isWhole || values[name] === undefined)) continue // a whole row is a key too
    throw refuse(name, ` has '${showName(name)}', which is not a ${at < 0 ? '' : 'key '}column. The key is (${showNames(names)}).`)
  }
  if (!order.some(isGiven)) throw refuse('', ` names no key column. Give some of (${showNames(names)}).`)
  const computed = computedColumns(schema)
  const valueAt = (at: number): Value => valueOf(schema, at, option, values[columns[at]?.name ?? ''])
  const prefix: Value[] = []
  for (const at of order) {
    const set = predicate.sets.get(at)
    const own = computed.find(({ position }) => position === at)
    if (own !== undefined && isGiven(own.source)) {
      const value = own.from(valueAt(own.source))
      const isOther = isGiven(at) && schema.layout.column(at).compare(valueAt(at), value) !== 0
      if (isOther) throw refuse(names[prefix.length] ?? '', ` has another '${names[prefix.length] ?? ''}' than its '${columns[own.source]?.name ?? ''}' makes. Leave it out.`) // prettier-ignore
      prefix.push(value)
    } else if (isGiven(at)) prefix.push(valueAt(at))
    else if (set?.kind === 'points' && set.values.length === 1) prefix.push(set.values[0] as Value)
    else break
  }
  const rest = order.slice(prefix.length).filter(isGiven)
  const [beyond] = rest
  if (beyond === undefined) return prefix
  // An empty list is one that has less than two values: nothing is found, wherever the scan begins.
  const [next = keyLength] = order.slice(prefix.length)
  if (predicate.named.has(next) && predicate.sets.get(next)?.kind === 'none') {
    rest.forEach(valueAt)
    return prefix
  }
  const [missing, name] = [names[prefix.length] ?? '', columns[beyond]?.name ?? '']
  throw refuse(missing, ` has '${name}' but not '${missing}', which orders the rows before it. Give '${missing}' too.`)
}

function valueOf(schema: TableSchema, at: number, option: Option, given: unknown): Value {
  const rules = rulesOf(schema, schema.columns[at]?.name ?? '')
  if (given === null && rules.column.type.nullable) return null
  try {
    return rules.operand(option, given)
  } catch (cause) {
    if (!isRowkeyError(cause, 'INVALID_PREDICATE')) throw cause
    const reason = sentenceOf(cause).slice(inPredicateOn(schema).length)
    throw refused(schema, option, rules.column.name, reason, { cause })
  }
}

function refused({ name: table }: TableSchema, bound: Option, column: string, what: string, options: ErrorOptions = {}): Error {
  return storeError('INVALID_PREDICATE', `${bound} of the scan of '${table}'${what}`, { table, column, bound }, options)
}
