import { type Condition, type Conditions, type Endpoint, type RecordFormat, type TableSchema, typeFacts, type Value } from 'rowkey/adapter'
import { toBuffer } from './client/commands.js'
import type { Argument } from './client/commands.js'

/** Max operands of one request, and their bytes. Every page sends them again. A condition beyond that is left to the core. */
const maxOperands = 1000
const maxOperandBytes = 16_384
/** Max bytes of the end of a range of text or bytes. The script compares them byte by byte. */
const maxEndBytes = 256

/** What Lua holds a stored value as. */
type Kind = 'number' | 'string' | 'boolean'

/** A test of the script: what it does, and its operands. */
type Test = readonly [test: 'null' | 'some' | 'in' | 'from' | 'above' | 'to' | 'below', ...operands: Argument[]]

/**
 * Arguments for the script that filters: the conditions that it can check by the bytes of a record. A condition that it could only check
 * roughly, or that is too long, is left out. The core checks all of them again.
 */
export function filterArguments(schema: TableSchema, format: RecordFormat, filter: Conditions): readonly Argument[] {
  const args: Argument[] = []
  let [operands, bytes, deepest, isReadable] = [0, 0, -1, true]
  for (const condition of filter) {
    const item = format.itemOf(condition.column)
    const type = schema.columns[condition.column]?.type
    if (item === undefined || type === undefined) continue
    const facts = typeFacts(type)
    const { kind, tests } = testsOf(facts, condition)
    for (const [test, ...given] of tests) {
      const size = given.reduce((sum, operand) => sum + operand.length, 0)
      if (operands + given.length > maxOperands || bytes + size > maxOperandBytes) continue
      operands += given.length
      bytes += size
      deepest = Math.max(deepest, item)
      isReadable &&= !isUnsigned64(facts)
      // A null in a required column is damage, which only the reader of the row reports.
      args.push(String(item), kind, type.nullable ? '0' : '1', test, String(given.length), ...given)
    }
  }
  if (deepest < 0) return []
  isReadable &&= !schema.columns.some(({ type }, position) => (format.itemOf(position) ?? Infinity) <= deepest && isBytes(typeFacts(type)))
  return [isReadable ? '1' : '0', ...args]
}

type Facts = ReturnType<typeof typeFacts>

/** cmsgpack reads these wrong, or not at all. */
const isUnsigned64 = ({ storage }: Facts): boolean => storage.class === 'bigint' && storage.max >= 2n ** 63n
const isBytes = ({ storage }: Facts): boolean => storage.class === 'bytes'

function testsOf(facts: Facts, condition: Condition): { readonly kind: Kind; readonly tests: readonly Test[] } {
  const kind = kindOf(facts)
  if ('isNull' in condition) return { kind, tests: [[condition.isNull ? 'null' : 'some']] }
  if (facts.storage.class === 'json') return { kind, tests: [] }
  if ('in' in condition) {
    const operands = condition.in.map(operandOf)
    return { kind, tests: operands.every(isKnown) ? [['in', ...operands]] : [] }
  }
  if (!facts.storedOrder || facts.storage.class === 'decimal') return { kind, tests: [] }
  const isRounded = facts.storage.class === 'float' ? () => false : beyondFloats
  const ends = [endTest(condition.low, 'from', 'above', isRounded), endTest(condition.high, 'to', 'below', isRounded)]
  return { kind, tests: ends.filter((end) => end !== undefined) }
}

function kindOf({ storage }: Facts): Kind {
  switch (storage.class) {
    case 'boolean':
      return 'boolean'
    case 'int':
    case 'bigint':
    case 'float':
      return 'number'
    default:
      return 'string'
  }
}

function endTest(
  end: Endpoint | undefined,
  closed: 'from' | 'to',
  open: 'above' | 'below',
  isRounded: (value: Value) => boolean,
): Test | undefined {
  if (end === undefined) return undefined
  const operand = operandOf(end.value)
  if (operand === undefined || (typeof operand !== 'string' && operand.length > maxEndBytes)) return undefined
  return [end.inclusive || isRounded(end.value) ? closed : open, operand]
}

/**
 * Numbers of Lua are floats of 64 bits. Integers beyond 2^53 are rounded, on both sides alike, so that equal ones stay equal and none changes
 * its side of an inclusive end.
 */
const beyondFloats = (value: Value): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && !Number.isSafeInteger(Number(value))

/** An operand as the script reads it; undefined if Lua compares it differently. */
function operandOf(value: Value): Argument | undefined {
  switch (typeof value) {
    case 'string':
      return Buffer.from(value)
    case 'bigint':
      return String(value)
    case 'number':
      return Number.isNaN(value) ? undefined : String(value)
    case 'boolean':
      return value ? '1' : '0'
    default:
      return value === null ? undefined : toBuffer(value)
  }
}

const isKnown = (operand: Argument | undefined): operand is Argument => operand !== undefined

/**
 * The argument that says which items of a record are sent: a digit for each item up to the last one that is wanted, 1 if it is wanted; `*` =
 * whole records.
 */
export function itemsArgument(format: RecordFormat, columns: readonly number[] | undefined): string {
  if (columns === undefined) return '*'
  const wanted = new Set(columns.map((position) => format.itemOf(position)).filter((item) => item !== undefined))
  return Array.from({ length: Math.max(-1, ...wanted) + 1 }, (_, item) => (wanted.has(item) ? '1' : '0')).join('')
}
