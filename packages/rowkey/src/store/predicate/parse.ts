import type { Value } from '#codec'
import type { TableSchema } from '#model'
import type { Endpoint } from '../contract/reading.js'
import type { ColumnRules } from './column-rules.js'
import { pointSet, type ColumnSet, type Predicate } from './column-set.js'
import { completed } from './complete.js'
import { show } from '#codec/internal'
import { maxInPlan } from '../table/limits.js'
import { holdsNothing } from './discrete.js'
import { isWithin } from './evaluate.js'
import { shapeOf, type Operator } from './shape.js'

/**
 * Checks a `where` object and intersects its conditions per column: a value or null, or an object of operators that must all
 * hold (`in gt gte lt lte startsWith isNull`).
 *
 * @throws RowkeyError `INVALID_PREDICATE`
 */
export function parsePredicate(schema: TableSchema, where: Readonly<Record<string, unknown>>): Predicate {
  const { shape, operands } = shapeOf(schema, where)
  const sets = new Map<number, ColumnSet>()
  let next = 0
  for (const { rules, operators } of shape.columns) {
    const conditions = new ColumnConditions(rules)
    for (const operator of operators) conditions.take(operator, operands[next++])
    const set = conditions.result()
    if (set !== undefined) sets.set(rules.position, set)
  }
  const { bound, named, followed } = shape
  return { sets: followed.length === 0 ? sets : completed(schema, followed, sets), given: sets, bound, named, followed }
}

/** The conditions on one column, intersected one by one. */
class ColumnConditions {
  private points: readonly Value[] | undefined
  private low: Endpoint | undefined
  private high: Endpoint | undefined
  private isNull: boolean | undefined
  private readonly rules: ColumnRules

  constructor(rules: ColumnRules) {
    this.rules = rules
  }

  take(operator: Operator, operand: unknown): void {
    switch (operator) {
      case '=':
        this.intersect([this.rules.operand('=', operand)])
        return
      case 'in':
        if (!Array.isArray(operand)) throw this.rules.refuse(`in takes a list, not ${show(operand)}.`)
        if (operand.length > maxInPlan)
          throw this.rules.refuse(`in has ${operand.length} values, more than ${maxInPlan}. Give fewer in one query.`)
        this.intersect(Array.from(operand, (value: unknown) => this.rules.operand('in', value)))
        return
      case 'null':
      case 'notNull':
        this.takeIsNull(operator === 'null')
        return
      case 'startsWith':
      case 'startsWithAll':
        this.takePrefix(operand)
        return
      default: {
        const limit = { value: this.rules.operand(operator, operand), inclusive: operator.endsWith('e') }
        this.limit(operator.startsWith('g') ? 'low' : 'high', limit)
      }
    }
  }

  result(): ColumnSet | undefined {
    const { points, low, high, isNull } = this
    const { values, domain, column } = this.rules
    if (points !== undefined) {
      if (isNull === true) return { kind: 'none' }
      return pointSet(
        low === undefined && high === undefined ? points : points.filter((value) => isWithin(value, low, high, values.compare)),
        this.rules.order,
      )
    }
    const limited = low !== undefined || high !== undefined
    if (isNull === true) return limited ? { kind: 'none' } : { kind: 'points', values: [null] }
    if (!limited) return isNull === false && column.type.nullable ? { kind: 'range' } : undefined
    if (low !== undefined && high !== undefined) {
      const order = values.compare(low.value, high.value)
      if (order > 0 || (order === 0 && !(low.inclusive && high.inclusive))) return { kind: 'none' }
    }
    if (domain !== undefined && holdsNothing(domain, low, high)) return { kind: 'none' }
    return { kind: 'range', ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }
  }

  private takeIsNull(isNull: boolean): void {
    // Both true and false together: no row.
    if (this.isNull !== undefined && this.isNull !== isNull) this.points = []
    this.isNull = isNull
  }

  private takePrefix(operand: unknown): void {
    this.rules.refuseLong('startsWith', operand)
    if (typeof operand !== 'string' || !operand.isWellFormed())
      throw this.rules.refuse(`startsWith takes well-formed text, not ${show(operand)}.`)
    if (this.isNull === undefined) this.isNull = false
    else if (this.isNull) this.points = []
    if (operand === '') return
    this.rules.fitting('startsWith', operand)
    this.limit('low', { value: operand, inclusive: true })
    const next = nextText(operand)
    if (next !== undefined) this.limit('high', { value: next, inclusive: false })
  }

  private intersect(points: readonly Value[]): void {
    const { points: before } = this
    this.points = before === undefined ? points : before.filter((value) => points.some((other) => this.rules.order(value, other) === 0))
  }

  private limit(end: 'low' | 'high', given: Endpoint): void {
    const other = this[end]
    if (other === undefined) {
      this[end] = given
      return
    }
    const order = this.rules.values.compare(given.value, other.value)
    const tighter = end === 'low' ? order > 0 : order < 0
    if (tighter || (order === 0 && !given.inclusive)) this[end] = given
  }
}

/**
 * The smallest text after every text that starts with `prefix`, in code point order; undefined if there is none. `startsWith p` is the
 * range from p to this text.
 */
function nextText(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  // U+D800 to U+DFFF are surrogates, not code points of text.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}
