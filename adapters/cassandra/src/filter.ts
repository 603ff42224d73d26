// Also tested by filter-oracle.test.ts.
import { typeFacts, values, type Condition, type Conditions, type Endpoint, type SchemaColumn, type Value } from 'rowkey/adapter'
import { quoted } from './client/cql.js'
import { listOf } from './client/native-bytes.js'
import type { TableContext } from './context.js'
import { isById } from './keys.js'
import { cassandraHints } from './options.js'
import { valueTypeOf } from './values.js'

/** Max operands of a filter, and max bytes of them: every page sends them again. */
const maxOperands = 100
const maxOperandBytes = 16_384

/** What a statement says of value columns. */
export interface Filter {
  readonly text: string
  readonly params: readonly Buffer[]
}

/**
 * The conditions that the server can check, for a table whose model says `filterPartitions: true`; undefined if there are none. What CQL compares
 * differently, what is too long, what a null meets and conditions on key columns are left out. The core checks all of them again.
 *
 * The server drops a row that fails and does not count it. So a request for a few rows may read the rest of its partition and find none. Nobody can
 * say how many rows that were: `examined` counts those that were sent. A limit on examined rows therefore holds only partition by partition, and so does
 * a cursor: it stands after a row that was sent, or after a whole partition. That is why the partitions must have a period, and why nobody has
 * this who has not asked for it.
 */
export function filterOf(table: TableContext, conditions: Conditions = []): Filter | undefined {
  const { schema } = table
  if (conditions.length === 0 || cassandraHints(schema).filterPartitions !== true || isById(schema)) return undefined
  const tests: Test[] = []
  const seen = new Set<number>()
  let [count, bytes] = [0, 0]
  for (const condition of conditions) {
    const column = schema.columns[condition.column]
    if (column?.role !== 'value' || seen.has(condition.column)) continue
    const found = testsOf(column, condition, table.session.filtersLists)
    const more = found.reduce((sum, { operands }) => sum + operands, 0)
    const size = found.reduce((sum, { param }) => sum + param.length, 0)
    if (found.length === 0 || count + more > maxOperands || bytes + size > maxOperandBytes) continue
    seen.add(condition.column)
    count += more
    bytes += size
    tests.push(...found)
  }
  if (tests.length === 0) return undefined
  return { text: tests.map(({ text }) => ` AND ${text}`).join(''), params: tests.map(({ param }) => param) }
}

/** One comparison. */
interface Test {
  readonly text: string
  readonly param: Buffer
  readonly operands: number
}

/** Comparisons that every row passes that meets the condition; none if the server cannot check it. */
function testsOf(column: SchemaColumn, condition: Condition, hasLists: boolean): readonly Test[] {
  if ('isNull' in condition || typeFacts(column.type).storage.class === 'json') return []
  if (!('in' in condition)) return between(column, condition.low, condition.high)
  const { compare } = values(column.type, column.name)
  const points = condition.in.toSorted(compare)
  const operands = points.flatMap((value) => (value === 0 && isFloat(column) ? [-0, 0] : [value])).map((value) => operandOf(column, value))
  if (operands.length === 0 || !operands.every((operand) => operand !== undefined)) return []
  const [only, ...others] = operands
  const name = quoted(column.physical)
  if (only !== undefined && others.length === 0) return [{ text: `${name} = ?`, param: only, operands: 1 }]
  if (hasLists) return [{ text: `${name} IN ?`, param: listOf(operands), operands: operands.length }]
  const [low, high] = [points[0], points.at(-1)].map((value): Endpoint => ({ value: value as Value, inclusive: true }))
  return between(column, low, high)
}

function between(column: SchemaColumn, low: Endpoint | undefined, high: Endpoint | undefined): readonly Test[] {
  const { storage, storedOrder } = typeFacts(column.type)
  // CQL compares UUIDs by version first.
  if (!storedOrder || (storage.class === 'text' && storage.format !== undefined && storage.format !== 'ascii')) return []
  const name = quoted(column.physical)
  // Both zeros are within an end that is one of them; what an exclusive end lets pass of them is dropped by the core.
  const end = (sign: string, given: Endpoint | undefined, zero: number): readonly Test[] => {
    if (given === undefined) return []
    const param = operandOf(column, given.inclusive && given.value === 0 && isFloat(column) ? zero : given.value)
    return param === undefined ? [] : [{ text: `${name} ${sign}${given.inclusive ? '=' : ''} ?`, param, operands: 1 }]
  }
  return [...end('>', low, -0), ...end('<', high, 0)]
}

const isFloat = ({ type }: SchemaColumn): boolean => typeFacts(type).storage.class === 'float'

/** The bytes of an operand; undefined if its column cannot contain it, and so compares it as another one. */
function operandOf({ type }: SchemaColumn, value: Value): Buffer | undefined {
  const { storage } = typeFacts(type)
  if (value === null || (typeof value === 'string' && !value.isWellFormed())) return undefined
  if (storage.class === 'float' && storage.bytes === 4 && !Object.is(Math.fround(value as number), value)) return undefined
  return valueTypeOf({ type }).write(value)
}
