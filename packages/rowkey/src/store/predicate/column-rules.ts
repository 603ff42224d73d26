// Tested by parse.test.ts.
import { isRowkeyError, type Value } from '#codec'
import { derived, sentenceOf, show, showName, type TypeFacts, typeFacts, utf8Length, type Values, values } from '#codec/internal'
import type { SchemaColumn, TableSchema } from '#model'
import { storeError } from '../errors.js'
import { maxCounted, portableLimits } from '../table/limits.js'
import { domainOf } from './discrete.js'

/** The rules that conditions on one column are checked with. They are the same for every query, so they are made once per schema. */
export class ColumnRules {
  readonly schema: TableSchema
  readonly column: SchemaColumn
  readonly position: number
  readonly values: Values
  /** The order of the column in the key; for a value column the order of its values. */
  readonly order: (a: Value, b: Value) => number
  readonly facts: TypeFacts
  readonly domain: ReturnType<typeof domainOf>
  private readonly isKey: boolean
  private readonly maxBytes: number

  constructor(schema: TableSchema, column: SchemaColumn, position: number) {
    this.schema = schema
    this.column = column
    this.position = position
    this.values = values(derived(column.type, { nullable: false }), column.name)
    this.isKey = position < schema.keyLength
    this.maxBytes = this.isKey ? portableLimits.rowkeyBytes : portableLimits.columnBytes
    this.order = this.isKey ? schema.layout.column(position).compare : this.values.compare
    this.facts = typeFacts(column.type)
    this.domain = domainOf(this.facts.storage)
  }

  /** A checked operand. @throws RowkeyError `INVALID_PREDICATE` */
  operand(operator: string, given: unknown): Value {
    if (given === null) throw this.refuse(`${operator} never matches null. ${this.column.type.nullable ? 'Use isNull' : 'Give a value'}.`)
    if (given === undefined)
      throw this.refuse(`the operand of ${operator} is undefined, which would widen the query silently. Leave it out or give a value.`)
    if (this.facts.keyBytes === 'none') {
      throw this.incomparable()
    }
    this.refuseLong(operator, given)
    if (operator === '=' && Array.isArray(given)) {
      throw this.refuse(`a list is not a value. For several values, give { in: [...] }, not ${show(given)}.`)
    }
    if (Object.prototype.toString.call(given) === '[object RegExp]') {
      throw this.refuse(`a regular expression is not a value. ${otherWays['like']}`)
    }
    try {
      return this.fitting(operator, ownCopy(this.values.toValue(given)))
    } catch (error) {
      if (!isRowkeyError(error, 'INVALID_VALUE')) throw error
      throw storeError(
        'INVALID_PREDICATE',
        `${inPredicateOn(this.schema)}, operator ${operator}: ${sentenceOf(error)}`,
        { table: this.schema.name, column: this.column.name },
        { cause: error },
      )
    }
  }

  /** Refuses what no row can hold. Stores would refuse it themselves, but each at a different length. */
  fitting(operator: string, value: Value): Value {
    const bytes = typeof value === 'string' ? utf8Length(value) : value instanceof Uint8Array ? value.length : 0
    if (bytes > this.maxBytes) throw this.tooLong(operator, `${bytes}`)
    return value
  }

  /** The same for what is far too long, before anything else is done with it. */
  refuseLong(operator: string, given: unknown): void {
    const bytes = this.values.leastBytes(given, maxCounted)
    if (bytes > maxCounted) throw this.tooLong(operator, `at least ${bytes}`)
  }

  private tooLong(operator: string, bytes: string): Error {
    const holder = this.isKey ? 'rowkey' : 'column'
    return this.refuse(`the operand of ${operator} has ${bytes} bytes, but a ${holder} can hold at most ${this.maxBytes}. Shorten it.`)
  }

  /** The error for an operator that compares values which have neither an order nor an equality. */
  incomparable(): Error {
    const remedy = this.column.type.nullable ? 'Use isNull, or filter in code' : 'Filter in code'
    return this.refuse(`${this.column.type.kind} columns have no order and no equality. ${remedy}.`)
  }

  /** The error for what is not an operator. */
  unknown(operator: string): Error {
    const { ordered, nullable } = this.column.type
    const compared = ['in', ...(ordered ? ['gt', 'gte', 'lt', 'lte'] : []), ...(this.facts.startsWith ? ['startsWith'] : [])]
    const known = [...(this.facts.keyBytes === 'none' ? [] : compared), ...(nullable ? ['isNull'] : [])]
    const last = known.pop()
    const remedy = last === undefined ? 'Filter in code' : `Use ${known.length === 0 ? last : `${known.join(', ')} or ${last}`}`
    return this.refuse(`${show(operator)} is not an operator. ${remedy}.${wayOf(operator)}`)
  }

  refuse(message: string): Error {
    return refusal(this.schema, this.column.name, message)
  }
}

/** What to do in place of an operator of other query languages, which no key can answer. */
const otherWays: Readonly<Record<string, string>> = {
  ne: 'For all values but some, use the option filter, or a scan for each side: { lt } and { gt }.',
  like: 'For a prefix, use startsWith on a text column. For anything else, use the option filter.',
  between: 'For a range, give both ends: { gte, lte }.',
  or: 'For one of several values of a column, use { in: [...] }. For other alternatives, make a scan for each, or use the option filter.',
  and: 'All conditions of a predicate have to hold, so list the columns next to each other.',
}
const others: Readonly<Record<string, keyof typeof otherWays>> = {
  not: 'ne',
  neq: 'ne',
  nin: 'ne',
  notin: 'ne',
  '!=': 'ne',
  '<>': 'ne',
  ilike: 'like',
  contains: 'like',
  includes: 'like',
  endswith: 'like',
  regex: 'like',
  regexp: 'like',
  any: 'or',
}

/** A sentence for the end of a message about something that is neither a column nor an operator here; empty if nobody knows it. */
export function wayOf(name: string): string {
  const plain = name.replace(/^\$/, '').toLowerCase()
  const way = otherWays[Object.hasOwn(others, plain) ? (others[plain] as string) : plain]
  return way === undefined || !(Object.hasOwn(otherWays, plain) || Object.hasOwn(others, plain)) ? '' : ` ${way}`
}

/** How the message of every error about a predicate begins. */
export const inPredicateOn = ({ name }: TableSchema): string => `in the predicate on '${name}'`

/** The error for an invalid condition. */
export function refusal(schema: TableSchema, column: string, message: string): Error {
  return storeError('INVALID_PREDICATE', `${inPredicateOn(schema)}, column '${showName(column)}': ${message}`, {
    table: schema.name,
    column: showName(column),
  })
}

/** A scan may run long after its predicate was passed, and the caller may have reused the array. */
function ownCopy(value: Value): Value {
  return typeof value === 'object' && value !== null ? new Uint8Array(value) : value
}
