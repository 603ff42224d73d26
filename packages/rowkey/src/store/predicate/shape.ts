import { isEquals, type TableSchema, valueIn } from '#model'
import { computedColumns, type ComputedColumn } from '#model/internal'
import { isPlainObject, show, showNames } from '#codec/internal'
import { storeError } from '../errors.js'
import { ColumnRules, refusal, wayOf } from './column-rules.js'

/** `=` stands for a bare value, `null` for a bare null; `isNull` and `startsWith` are split by what their operand means. */
export type Operator = '=' | 'null' | 'notNull' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'startsWithAll'

/** The conditions of one column without their operands. */
interface ColumnShape {
  readonly rules: ColumnRules
  readonly operators: readonly Operator[]
}

/** A predicate without its operands: what can be checked once for all queries that differ only in their values. */
interface PredicateShape {
  readonly columns: readonly ColumnShape[]
  /** Columns with a condition that counts as bound; `startsWith: ''` does not. */
  readonly bound: ReadonlySet<number>
  /** Columns whose values are named one by one. */
  readonly named: ReadonlyMap<number, 'value' | 'list'>
  /** Computed columns whose values follow from the conditions on others. */
  readonly followed: readonly ComputedColumn[]
}

/** A predicate, split into its shape and its operands. */
export interface ShapedPredicate {
  readonly shape: PredicateShape
  /** One per operator, in the order of the shape. */
  readonly operands: readonly unknown[]
}

/** How many shapes are kept per schema. An application has a few dozen, and one that creates them at run time must not fill the memory. */
const maxShapes = 256

const cache = new WeakMap<TableSchema, Map<string, PredicateShape>>()

/**
 * Splits a predicate. Its shape is checked and compiled at the first query of that shape and reused afterwards. A shape contains no values.
 *
 * @throws RowkeyError `INVALID_PREDICATE` for an unknown column or operator, or an operator that the column's type does not support
 */
export function shapeOf(schema: TableSchema, where: Readonly<Record<string, unknown>>): ShapedPredicate {
  // An instance of a class would only be read in part, because its accessors are not own properties.
  if (!isPlainObject(where)) {
    const message = `the predicate on '${schema.name}' is ${show(where)}. Give a plain object of conditions by column.`
    throw storeError('INVALID_PREDICATE', message, { table: schema.name, column: '' })
  }
  // Some of so many are no columns. They are refused before anything is done with the others.
  const names = Object.keys(where)
  if (names.length > schema.columns.length) for (const name of names) rulesOf(schema, name)
  const taken = take(where, names)
  const { id, operands } = taken
  let shapes = cache.get(schema)
  if (shapes === undefined) cache.set(schema, (shapes = new Map<string, PredicateShape>()))
  const known = shapes.get(id)
  if (known !== undefined) return { shape: known, operands }
  const shape = compile(schema, taken)
  if (shapes.size >= maxShapes) shapes.delete(shapes.keys().next().value as string)
  shapes.set(id, shape)
  return { shape, operands }
}

/** The content of a predicate, read once, because a getter may return something else the next time. */
interface Taken {
  /** Equal only for the same columns and operators. */
  readonly id: string
  readonly operands: readonly unknown[]
  readonly columns: readonly (readonly [name: string, given: Given])[]
}

/** What a column has: a value that is not null, null, or operators by name. */
type Given = '=' | 'null' | readonly string[]

function take(where: Readonly<Record<string, unknown>>, names: readonly string[]): Taken {
  let id = ''
  const operands: unknown[] = []
  const columns: [string, Given][] = []
  for (const name of names) {
    const condition = where[name]
    id += `${name.length}:${name}`
    if (isEquals(condition)) {
      // Never operators, nor null, because that would be another condition.
      id += '='
      operands.push(valueIn(condition))
      columns.push([name, '='])
    } else if (isOperators(condition)) {
      const operators = Object.keys(condition)
      for (const operator of operators) {
        const operand = condition[operator]
        id += `${operator.length}.${operator}${meaningOf(operator, operand)}`
        operands.push(operand)
      }
      columns.push([name, operators])
    } else {
      const isNull = condition === null
      id += isNull ? '0' : '='
      operands.push(condition)
      columns.push([name, isNull ? 'null' : '='])
    }
  }
  return { id, operands, columns }
}

/** Whether it contains operators; a Date, bytes or anything else is a value. */
function isOperators(condition: unknown): condition is Readonly<Record<string, unknown>> {
  return typeof condition === 'object' && condition !== null && isPlainObject(condition)
}

/** The operators whose operand decides the kind of condition. */
function meaningOf(operator: string, operand: unknown): string {
  if (operator === 'isNull') return operand === true ? '+' : operand === false ? '-' : '?'
  return operator === 'startsWith' && operand === '' ? '*' : ''
}

function compile(schema: TableSchema, { columns: given, operands }: Taken): PredicateShape {
  const columns: ColumnShape[] = []
  const bound = new Set<number>()
  const named = new Map<number, 'value' | 'list'>()
  let next = 0
  for (const [name, form] of given) {
    const rules = rulesOf(schema, name)
    const of = operands.slice(next, (next += typeof form === 'string' ? 1 : form.length))
    const operators = operatorsOf(rules, form, of)
    columns.push({ rules, operators })
    if (operators.some((operator) => operator !== 'startsWithAll')) bound.add(rules.position)
    if (operators.includes('in')) named.set(rules.position, 'list')
    else if (operators.includes('=') || operators.includes('null')) named.set(rules.position, 'value')
  }
  const followed = computedColumns(schema).filter(({ source }) =>
    columns.some(({ rules, operators }) => rules.position === source && isClosed(operators)),
  )
  for (const { position } of followed) bound.add(position)
  return { columns, bound, named, followed }
}

/** Whether the conditions name values, or both ends of a range. */
function isClosed(operators: readonly Operator[]): boolean {
  const some = (...of: readonly Operator[]): boolean => operators.some((operator) => of.includes(operator))
  return some('=', 'in') || (some('gt', 'gte') && some('lt', 'lte'))
}

const known = new WeakMap<TableSchema, ColumnRules[]>()

/** The rules of a column that an application may name. @throws RowkeyError `INVALID_PREDICATE` if there is none */
export function rulesOf(schema: TableSchema, name: string): ColumnRules {
  const position = schema.columns.findIndex((column) => column.name === name && column.role !== 'expiry' && column.role !== 'version')
  const column = schema.columns[position]
  if (column === undefined) {
    const names = schema.columns.filter(({ role }) => role !== 'expiry' && role !== 'version').map((other) => other.name)
    throw refusal(schema, name, `there is no such column. The columns are ${showNames(names)}.${wayOf(name)}`)
  }
  let all = known.get(schema)
  if (all === undefined) known.set(schema, (all = []))
  return (all[position] ??= new ColumnRules(schema, column, position))
}

function operatorsOf(rules: ColumnRules, given: Given, operands: readonly unknown[]): readonly Operator[] {
  if (given === '=') return ['=']
  if (given === 'null') return [nullness(rules, true)]
  if (given.length === 0) throw rules.refuse('the condition has no operator. Leave the column out, or give a value or an operator.')
  return given.map((name, i) => operatorOf(rules, name, operands[i]))
}

function operatorOf(rules: ColumnRules, operator: string, operand: unknown): Operator {
  const { kind, ordered } = rules.column.type
  const isComparable = rules.facts.keyBytes !== 'none'
  switch (operator) {
    case 'in':
      return 'in'
    case 'isNull':
      return nullness(rules, operand)
    case 'startsWith':
      if (!isComparable) throw rules.incomparable()
      if (!rules.facts.startsWith)
        throw rules.refuse(`startsWith needs a text column, but this is ${kind}. Use ${ordered ? '=, in or a range' : '= or in'}.`)
      return operand === '' ? 'startsWithAll' : 'startsWith'
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (ordered) return operator
      if (!isComparable) throw rules.incomparable()
      throw rules.refuse(`${operator} needs a column that is stored in the order of its values, and ${kind} is not. Use = or in.`)
    default:
      throw rules.unknown(operator)
  }
}

function nullness(rules: ColumnRules, isNull: unknown): 'null' | 'notNull' {
  if (typeof isNull !== 'boolean') throw rules.refuse(`isNull takes true or false, not ${show(isNull)}.`)
  if (!rules.column.type.nullable) throw rules.refuse('the column is never null. Leave out isNull and null.')
  return isNull ? 'null' : 'notNull'
}
