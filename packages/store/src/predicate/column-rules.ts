import type { Value, Values } from '@rowkey/codec'
import type { SchemaColumn, TableSchema } from '@rowkey/model'
import { derived, isRowkeyError, utf8Length, values } from '@rowkey/codec'
import { storeError } from '../errors.js'
import { mostCounted, portableLimits } from '../table/limits.js'
import { domainOf } from './discrete.js'

/** What the conditions on one column are checked with. The same for every query, so it is made once per schema. */
export class ColumnRules {
  readonly schema: TableSchema
  readonly column: SchemaColumn
  readonly position: number
  readonly values: Values
  /** The order of the column in the key; in a value column that of its values. */
  readonly order: (a: Value, b: Value) => number
  readonly domain: ReturnType<typeof domainOf>
  private readonly isKey: boolean

  constructor(schema: TableSchema, column: SchemaColumn, position: number) {
    this.schema = schema
    this.column = column
    this.position = position
    this.values = values(derived(column.type, { nullable: false }), column.name)
    this.isKey = position < schema.keyLength
    this.order = this.isKey ? schema.layout.column(position).compare : this.values.compare
    this.domain = domainOf(column.type, this.values)
  }

  /** A checked operand. @throws RowkeyError `INVALID_PREDICATE` */
  operand(operator: string, given: unknown): Value {
    if (given === null) throw this.refuse(`${operator} never matches null. Use isNull.`)
    if (given === undefined)
      throw this.refuse(`the operand of ${operator} is undefined, which would widen the query silently. Leave it out or give a value.`)
    if (this.column.type.kind === 'json') throw this.refuse('JSON columns have no order and no equality. Use isNull, or filter in code.')
    this.refuseLong(operator, given)
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
  fitting(operator: string, value: Value): Value {
    const bytes = typeof value === 'string' ? utf8Length(value) : value instanceof Uint8Array ? value.length : 0
    if (bytes > this.mostBytes) throw this.tooLong(operator, `${bytes}`)
    return value
  }

  /** The same of what is far too long, before anything else is done with it. */
  refuseLong(operator: string, given: unknown): void {
    const bytes = this.values.leastBytes(given, mostCounted)
    if (bytes > mostCounted) throw this.tooLong(operator, `at least ${bytes}`)
  }

  private get mostBytes(): number {
    return this.isKey ? portableLimits.rowkeyBytes : portableLimits.columnBytes
  }

  private tooLong(operator: string, bytes: string): Error {
    const holder = this.isKey ? 'rowkey' : 'column'
    return this.refuse(`the operand of ${operator} has ${bytes} bytes, and no ${holder} holds more than ${this.mostBytes}. Shorten it.`)
  }

  refuse(message: string): Error {
    return refusal(this.schema, this.column.name, message)
  }
}

/** The error for a condition that cannot be. */
export function refusal(schema: TableSchema, column: string, message: string): Error {
  return storeError('INVALID_PREDICATE', `in the predicate on '${schema.name}', column '${column}': ${message}`, {
    table: schema.name,
    column,
  })
}

/** A scan may run long after its predicate was given, and the caller may use the same array for something else. */
function ownCopy(value: Value): Value {
  return typeof value === 'object' && value !== null ? new Uint8Array(value) : value
}
