// Tested by filter-oracle.test.ts.
import type { Predicate, Value as KuduValue } from '@rowkey/kudu-client'
import { typeFacts, type Condition, type Conditions, type SchemaColumn, type Value } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { isOutside, nextStored, type KeyColumn } from './keys.js'
import { valueTypeOf } from './values.js'

/** Max operands of a filter, and max bytes of them: every page sends them again. */
const maxOperands = 1000
const maxOperandBytes = 65_536

/** The conditions that the server checks. */
export interface Filter {
  readonly where: readonly Predicate[]
}

/**
 * The conditions that the server can check; undefined if there are none. What Kudu compares differently, what is too long, and what a null meets are
 * left out. The core checks all of them again.
 */
export function filterOf(table: TableContext, conditions: Conditions = []): Filter | undefined {
  const where: Predicate[] = []
  let [count, bytes] = [0, 0]
  for (const condition of conditions) {
    const predicates = predicatesOf(table, condition)
    const operands = predicates.flatMap(operandsOf)
    const size = operands.reduce<number>((sum, operand) => sum + lengthOf(operand), 0)
    if (predicates.length === 0 || count + operands.length > maxOperands || bytes + size > maxOperandBytes) continue
    count += operands.length
    bytes += size
    where.push(...predicates)
  }
  return where.length === 0 ? undefined : { where }
}

function operandsOf(predicate: Predicate): readonly (KuduValue | undefined)[] {
  if ('in' in predicate) return predicate.in
  if ('equals' in predicate) return [predicate.equals]
  return 'isNull' in predicate ? [] : [predicate.from, predicate.to]
}

const lengthOf = (operand: KuduValue | undefined): number =>
  typeof operand === 'string' ? 3 * operand.length : operand instanceof Uint8Array ? operand.length : 16

/** Predicates that every row passes that meets the condition; none if the server cannot check it. */
function predicatesOf({ schema, keys }: TableContext, condition: Condition): readonly Predicate[] {
  const column = schema.columns[condition.column]
  if (column === undefined || 'isNull' in condition || typeFacts(column.type).storage.class === 'json') return []
  const key = keys[condition.column]
  if (key === undefined && column.role !== 'value') return []
  const name = column.physical
  const write = (value: Value): KuduValue | undefined => operandOf(column, key, value)
  if ('in' in condition) {
    const operands = condition.in.map(write)
    if (operands.length === 0 || !operands.every((operand) => operand !== undefined)) return []
    const [only] = operands
    return operands.length === 1 && only !== undefined ? [{ column: name, equals: only }] : [{ column: name, in: operands }]
  }
  if (!isOrdered(column, key)) return []
  const { low, high } = condition
  // An exclusive end is one value more, which the core drops. Kudu's upper end is exclusive.
  const [from, to] = [low, high].map((end) => (end === undefined ? undefined : write(end.value)))
  if ((low !== undefined && from === undefined) || (high !== undefined && to === undefined)) return []
  const upper = to === undefined ? undefined : nextOf(column, key, to)
  const [least, beyond] = key?.form === 'turned' ? [to, from === undefined ? undefined : key.next(from)] : [from, upper]
  if (least === undefined && beyond === undefined) return []
  return [{ column: name, ...(least === undefined ? {} : { from: least }), ...(beyond === undefined ? {} : { to: beyond }) }]
}

/** Whether Kudu orders the column as its values are. NaN is in no range there, and booleans have none. */
function isOrdered(column: SchemaColumn, key: KeyColumn | undefined): boolean {
  const { storage, storedOrder } = typeFacts(column.type)
  if (key !== undefined) return key.form !== 'bytes' && storedOrder
  if (storage.class === 'text' && storage.format === 'time-uuid') return false
  return storedOrder && storage.class !== 'float' && storage.class !== 'boolean'
}

/** The stored value of an operand; undefined if its column cannot contain it, or compares it in another way. */
function operandOf(column: SchemaColumn, key: KeyColumn | undefined, value: Value): KuduValue | undefined {
  const { storage } = typeFacts(column.type)
  if (value === null || (typeof value === 'string' && !value.isWellFormed())) return undefined
  if (storage.class === 'float' && key === undefined) {
    const isHeld = storage.bytes === 8 || Object.is(Math.fround(value as number), value)
    if (Number.isNaN(value) || value === 0 || !isHeld) return undefined // both zeros are one value
  }
  const type = valueTypeOf(column)
  const stored = (key ?? type).write(value)
  if (type.kudu.type === 'DATE' && key?.form !== 'turned' && isOutside({ kudu: type.kudu }, stored) !== undefined) return undefined
  return stored
}

/** The first stored value after one. undefined: the end is left open, and the core drops what is too much. */
function nextOf(column: SchemaColumn, key: KeyColumn | undefined, stored: KuduValue): KuduValue | undefined {
  if (key !== undefined) return key.next(stored)
  return nextStored(valueTypeOf(column).kudu)(stored)
}
