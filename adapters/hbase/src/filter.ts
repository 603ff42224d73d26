// Tested by scan.test.ts and conformance.test.ts.
import { allOf, anyOf, columnValue, qualifierIs, type Result } from '@rowkey/hbase-client'
import { latin1String, type Condition, type Conditions, type Value } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { family, mark } from './keys.js'
import type { ByteRange, ValueType } from './values.js'

/** Max tests of a filter, and max bytes of their operands: every page sends them again. */
const maxTests = 100
const maxOperandBytes = 16_384

/** A filter in the form of the server. */
export interface Filter {
  readonly bytes: Uint8Array
  /** The columns that it compares: the server only compares cells that it reads. */
  readonly qualifiers: readonly Uint8Array[]
  /** Whether a row may meet the conditions: if it does not, the server has left out a cell of one of the columns. */
  mayPass(result: Result): boolean
}

/**
 * The conditions that the server can check; undefined if there are none. What it compares differently, what is too long, conditions on key columns and
 * those that a null meets are left out. The core checks all of them again.
 *
 * A filter of rows would let one call read a whole table and find nothing, and nobody could say how far it came. So this one leaves out cells: a
 * row that fails still comes with its mark, and counts.
 */
export function filterOf({ schema, format }: TableContext, conditions: Conditions = []): Filter | undefined {
  const filters: Uint8Array[] = []
  const qualifiers: Uint8Array[] = []
  let [count, bytes] = [0, 0]
  for (const condition of conditions) {
    if (condition.column < schema.keyLength) continue
    const { qualifier, type } = format.field(condition.column)
    const alternatives = alternativesOf(condition, type)
    if (alternatives === undefined || alternatives.length === 0 || alternatives.some((tests) => tests.length === 0)) continue
    const size = alternatives.flat().reduce((sum, { value }) => sum + value.length, 0)
    const more = alternatives.flat().length
    if (count + more > maxTests || bytes + size > maxOperandBytes) continue
    count += more
    bytes += size
    const test = (one: Test): Uint8Array => columnValue({ family, qualifier, ...one, ifMissing: 'drop' })
    filters.push(
      together(
        alternatives.map((tests) => together(tests.map(test), allOf)),
        anyOf,
      ),
    )
    qualifiers.push(qualifier)
  }
  if (filters.length === 0) return undefined
  const compared = qualifiers.map(latin1String)
  return {
    bytes: anyOf([together(filters, allOf), qualifierIs(mark)]),
    qualifiers,
    mayPass({ cells }) {
      const found = new Set(cells.map(({ qualifier }) => latin1String(qualifier)))
      return compared.every((qualifier) => found.has(qualifier))
    },
  }
}

const together = (filters: readonly Uint8Array[], join: (filters: readonly Uint8Array[]) => Uint8Array): Uint8Array => {
  const [only] = filters
  return filters.length === 1 && only !== undefined ? only : join(filters)
}

/** A comparison of a stored value with an operand. */
interface Test {
  readonly operator: 'equal' | 'lessOrEqual' | 'greaterOrEqual'
  readonly value: Uint8Array
}

/** One of the lists has to hold, with all its tests. undefined: the server cannot check the condition. */
function alternativesOf(condition: Condition, type: ValueType): readonly (readonly Test[])[] | undefined {
  if ('isNull' in condition) return undefined
  if ('in' in condition) {
    const each = condition.in.map((value) => equalTo(value, type))
    return each.includes(undefined) ? undefined : (each as (readonly Test[])[][]).flat()
  }
  // An exclusive end is one value more, which the core drops.
  return type.ranges?.(condition.low?.value, condition.high?.value).map(testsOf)
}

function equalTo(value: Value, type: ValueType): readonly (readonly Test[])[] | undefined {
  if (type.ranges !== undefined) return type.ranges(value, value).map(testsOf)
  return type.isExact ? [[{ operator: 'equal', value: type.write(value) }]] : undefined
}

const testsOf = ({ low, high }: ByteRange): readonly Test[] => [
  ...(low === undefined ? [] : [{ operator: 'greaterOrEqual', value: low } as const]),
  ...(high === undefined ? [] : [{ operator: 'lessOrEqual', value: high } as const]),
]
