import type { Value, Values } from '@rowkey/codec'
import type { SchemaColumn, TableSchema } from '@rowkey/model'
import type { ColumnSet, Predicate } from './column-set.js'
import type { Limit } from '../contract/reading.js'
import { derived, isPlainObject, isRowkeyError, show, utf8Length, values } from '@rowkey/codec'
import { storeError } from '../errors.js'
import { portableLimits } from '../table/limits.js'
import { domainOf, holdsNothing } from './discrete.js'
import { isWithin } from './evaluate.js'
import { nextText } from './next-text.js'

const ranges = new Set(['gt', 'gte', 'lt', 'lte'])

/**
 * Checks a `where` object and intersects its conditions per column: a value or null, or an object of operators that must all
 * hold (`in gt gte lt lte startsWith isNull`).
 *
 * @throws RowkeyError `INVALID_PREDICATE`
 */
export function parsePredicate(schema: TableSchema, where: Readonly<Record<string, unknown>>): Predicate {
  const sets = new Map<number, ColumnSet>()
  const bound = new Set<number>()
  // Of an object of a class only part would be seen: its accessors are no properties of its own.
  if (!isPlainObject(where)) {
    const message = `the predicate on '${schema.name}' is ${show(where)}. Give a plain object of conditions by column.`
    throw storeError('INVALID_PREDICATE', message, { table: schema.name, column: '' })
  }
  for (const name of Object.keys(where)) {
    const position = schema.columns.findIndex((column) => column.name === name && column.role !== 'expiry' && column.role !== 'version')
    const column = schema.columns[position]
    if (column === undefined) {
      const known = schema.columns.map((other) => other.name).join(', ')
      throw refusal(schema, name, `there is no such column. Columns are ${known}.`)
    }
    const parsed = new ColumnConditions(schema, column, position).parse(where[name])
    if (parsed.binds) bound.add(position)
    if (parsed.set !== undefined) sets.set(position, parsed.set)
  }
  return { sets, bound }
}

function refusal(schema: TableSchema, column: string, message: string): Error {
  return storeError('INVALID_PREDICATE', `in the predicate on '${schema.name}', column '${column}': ${message}`, {
    table: schema.name,
    column,
  })
}

/** The conditions on one column, intersected as they come. */
class ColumnConditions {
  private points: readonly Value[] | undefined
  private low: Limit | undefined
  private high: Limit | undefined
  private isNull: boolean | undefined
  private binds = false
  private readonly values: Values
  private readonly keyOrder: (a: Value, b: Value) => number
  private readonly isKey: boolean
  private readonly schema: TableSchema
  private readonly column: SchemaColumn

  constructor(schema: TableSchema, column: SchemaColumn, position: number) {
    this.schema = schema
    this.column = column
    this.values = values(derived(column.type, { nullable: false }), column.name)
    this.isKey = position < schema.keyLength
    this.keyOrder = this.isKey ? schema.layout.column(position).compare : this.values.compare
  }

  parse(condition: unknown): { readonly set: ColumnSet | undefined; readonly binds: boolean } {
    if (condition === null) this.take('isNull', true)
    else if (isPlainObject(condition)) {
      // It holds operators; a Date, bytes or anything else is a value.
      const operators = Object.entries(condition)
      if (operators.length === 0) throw this.refuse('it has no operator. Leave the column out, or give a value or an operator.')
      for (const [operator, operand] of operators) this.take(operator, operand)
    } else {
      this.intersect([this.operand('=', condition)])
    }
    return { set: this.result(), binds: this.binds }
  }

  private take(operator: string, operand: unknown): void {
    if (operator === 'isNull') {
      this.takeIsNull(operand)
    } else if (operator === 'in') {
      if (!Array.isArray(operand)) throw this.refuse(`in takes a list, not ${show(operand)}.`)
      this.intersect(Array.from(operand, (value: unknown) => this.operand('in', value)))
    } else if (operator === 'startsWith') {
      this.takePrefix(operand)
    } else if (ranges.has(operator)) {
      if (!this.column.type.ordered)
        throw this.refuse(
          `${operator} needs an ordered column, and the bytes of ${this.column.type.kind} are not in the order of its values. Use = or in.`,
        )
      this.binds = true
      this.limit(operator.startsWith('g') ? 'low' : 'high', { value: this.operand(operator, operand), inclusive: operator.endsWith('e') })
    } else {
      throw this.refuse(`${show(operator)} is no operator. Use in, gt, gte, lt, lte, startsWith or isNull.`)
    }
  }

  private takeIsNull(operand: unknown): void {
    if (typeof operand !== 'boolean') throw this.refuse(`isNull takes true or false, not ${show(operand)}.`)
    if (!this.column.type.nullable) throw this.refuse('it is never null. Leave out isNull and null.')
    this.binds = true
    // Both true and false together: no row.
    if (this.isNull !== undefined && this.isNull !== operand) this.points = []
    this.isNull = operand
  }

  private takePrefix(operand: unknown): void {
    const { kind } = this.column.type
    if (kind !== 'text') throw this.refuse(`startsWith needs a text column, this is ${kind}. Use =, in or a range.`)
    if (typeof operand !== 'string' || !operand.isWellFormed())
      throw this.refuse(`startsWith takes well-formed text, not ${show(operand)}.`)
    if (this.isNull === undefined) this.isNull = false
    else if (this.isNull) this.points = []
    if (operand === '') return
    this.binds = true
    this.fitting('startsWith', operand)
    this.limit('low', { value: operand, inclusive: true })
    const next = nextText(operand)
    if (next !== undefined) this.limit('high', { value: next, inclusive: false })
  }

  private operand(operator: string, given: unknown): Value {
    if (given === null) throw this.refuse(`${operator} never matches null. Use isNull.`)
    if (given === undefined)
      throw this.refuse(`the operand of ${operator} is undefined, which would widen the query silently. Leave it out or give a value.`)
    if (this.column.type.kind === 'json') throw this.refuse('JSON columns have no order and no equality. Use isNull, or filter in code.')
    try {
      return this.fitting(operator, ownCopy(this.values.toValue(given)))
    } catch (error) {
      if (!isRowkeyError(error, 'INVALID_VALUE')) throw error
      const [, reason = ''] = /: (.*)$/s.exec(error.message) ?? []
      throw storeError(
        'INVALID_PREDICATE',
        `in the predicate on '${this.schema.name}', operator ${operator}: ${reason}`,
        { table: this.schema.name, column: this.column.name },
        { cause: error },
      )
    }
  }

  /** Refuses what no row can hold: stores would refuse it themselves, each at a length of its own. */
  private fitting(operator: string, value: Value): Value {
    const bytes = typeof value === 'string' ? utf8Length(value) : value instanceof Uint8Array ? value.length : 0
    const [holder, most] = this.isKey ? ['rowkey', portableLimits.rowkeyBytes] : ['column', portableLimits.columnBytes]
    if (bytes <= most) return value
    throw this.refuse(`the operand of ${operator} has ${bytes} bytes, and no ${holder} holds more than ${most}. Shorten it.`)
  }

  private intersect(points: readonly Value[]): void {
    this.binds = true
    const { points: before } = this
    this.points = before === undefined ? points : before.filter((value) => points.some((other) => this.keyOrder(value, other) === 0))
  }

  private limit(end: 'low' | 'high', given: Limit): void {
    const other = this[end]
    if (other === undefined) {
      this[end] = given
      return
    }
    const order = this.values.compare(given.value, other.value)
    const tighter = end === 'low' ? order > 0 : order < 0
    if (tighter || (order === 0 && !given.inclusive)) this[end] = given
  }

  private result(): ColumnSet | undefined {
    const { points, low, high, isNull } = this
    if (points !== undefined) {
      if (isNull === true) return { kind: 'none' }
      return pointSet(
        points.filter((value) => isWithin(value, low, high, this.values.compare)),
        this.keyOrder,
      )
    }
    const limited = low !== undefined || high !== undefined
    if (isNull === true) return limited ? { kind: 'none' } : { kind: 'points', values: [null] }
    if (!limited) return isNull === false && this.column.type.nullable ? { kind: 'range' } : undefined
    if (low !== undefined && high !== undefined) {
      const order = this.values.compare(low.value, high.value)
      if (order > 0 || (order === 0 && !(low.inclusive && high.inclusive))) return { kind: 'none' }
    }
    const domain = domainOf(this.column.type, this.values)
    if (domain !== undefined && holdsNothing(domain, low, high)) return { kind: 'none' }
    return { kind: 'range', ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }
  }

  private refuse(message: string): Error {
    return refusal(this.schema, this.column.name, message)
  }
}

function pointSet(points: readonly Value[], order: (a: Value, b: Value) => number): ColumnSet {
  const sorted = points.toSorted(order).filter((value, i, all) => i === 0 || order(all[i - 1] as Value, value) !== 0)
  return sorted.length === 0 ? { kind: 'none' } : { kind: 'points', values: sorted }
}

/** A scan may run long after its predicate was given, and the caller may use the same array for something else. */
function ownCopy(value: Value): Value {
  return typeof value === 'object' && value !== null ? new Uint8Array(value) : value
}
