import { isUint8Array } from 'node:util/types'
import { HBaseError } from '../error.js'
import { show } from '../show.js'

/**
 * HBase stores the length of a row in two bytes, and looks for the region of a row by a row that has the table's name before it and 16 bytes
 * more. Where the gateway knows the region, longer rows would do; where it does not, it would repeat the request for minutes.
 */
export const maxRowLength = 32_767
const lookupLength = 16

/** Max bytes of a row of a table. */
export const maxRowLengthOf = (tableNameLength: number): number => maxRowLength - lookupLength - tableNameLength
/** HBase stores the length of a family in one byte. */
const maxFamilyLength = 127
/** `Long.MAX_VALUE` itself means "now". */
const maxTimestamp = 2n ** 63n - 2n
const maxInt32 = 2 ** 31 - 1

/** What is wrong with a part of a request. The call that it belongs to turns it into an {@link HBaseError}. */
export class Refusal extends Error {
  readonly path: string
  readonly problem: string

  constructor(path: string, problem: string) {
    super(problem)
    this.path = path
    this.problem = problem
  }
}

/** Each element of a list by `write`; what is wrong with one names its place. */
export function each<Element>(path: string, elements: readonly Element[], write: (element: Element) => void): void {
  let index = 0
  try {
    for (; index < elements.length; index++) write(elements[index] as Element)
  } catch (error) {
    throw within(`${path}[${index}]`, error)
  }
}

/** What is wrong with a part, told from the whole. */
export const within = (path: string, error: unknown): unknown =>
  error instanceof Refusal ? new Refusal(error.path === '' ? path : `${path}.${error.path}`, error.problem) : error

/** The error of a call that cannot be sent. */
export function refused(call: string, { path, problem }: Refusal): HBaseError {
  return new HBaseError('INVALID_ARGUMENT', `${call}() was not sent: ${path === '' ? problem : `${path} ${problem}`}.`, {
    call,
    isSent: false,
  })
}

/** What `check` returns. @throws HBaseError with `INVALID_ARGUMENT` for whatever it throws */
export function refusing<Value>(call: string, check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal) throw refused(call, error)
    const problem = `${call}() was not sent: an argument is not what its type says (${(error as Error).message}).`
    throw new HBaseError('INVALID_ARGUMENT', problem, { call, isSent: false }, { cause: error })
  }
}

/** The names of an object's properties: the compiler refuses a list that lacks one, or has another. */
export type Names<T extends object> = Readonly<Record<keyof Required<T>, true>>

/** Refuses a property that does not exist: a misspelt one would be passed over, and a delete of one column be that of a row. */
export function checkNames<T extends object>(given: T, known: Names<T>, path = ''): void {
  for (const name in given) {
    if (known[name] === true || !Object.hasOwn(given, name)) continue
    throw new Refusal(path === '' ? show(name) : `${path}.${show(name)}`, `does not exist. There are ${Object.keys(known).join(', ')}`)
  }
}

export function checkBytes(path: string, value: Uint8Array): void {
  if (!isUint8Array(value)) throw new Refusal(path, `is ${kindOf(value)}. Give a Uint8Array`)
}

export function checkRow(path: string, row: Uint8Array, maxLength: number): void {
  checkBytes(path, row)
  if (row.length === 0 || row.length > maxLength)
    throw new Refusal(path, `has ${row.length} bytes. A row of this table has 1 to ${maxLength}`)
}

/** A bound of a scan: empty means that there is none. */
export function checkBound(path: string, bound: Uint8Array, maxLength: number): void {
  checkBytes(path, bound)
  if (bound.length > maxLength) throw new Refusal(path, `has ${bound.length} bytes. A bound of this table has at most ${maxLength}`)
}

export function checkFamily(path: string, family: Uint8Array): void {
  checkBytes(path, family)
  if (family.length === 0 || family.length > maxFamilyLength) {
    throw new Refusal(path, `has ${family.length} bytes. The name of a column family has 1 to ${maxFamilyLength}`)
  }
}

export function checkTimestamp(path: string, timestamp: bigint): void {
  if (typeof timestamp !== 'bigint') throw new Refusal(path, `is ${kindOf(timestamp)}. Give a bigint: milliseconds since 1970`)
  if (timestamp < 0n || timestamp > maxTimestamp) throw new Refusal(path, `is ${timestamp}. HBase takes 0 to 2^63 − 2`)
}

export function checkInt64(path: string, value: bigint): void {
  if (typeof value !== 'bigint') throw new Refusal(path, `is ${kindOf(value)}. Give a bigint`)
  if (BigInt.asIntN(64, value) !== value) throw new Refusal(path, `is ${value}. It must fit in 64 bits`)
}

/** A number of things, from `min`. */
export function checkCount(path: string, value: number, min: number): void {
  if (typeof value !== 'number') throw new Refusal(path, `is ${kindOf(value)}. Give a number`)
  if (!Number.isInteger(value) || value < min || value > maxInt32) {
    throw new Refusal(path, `is ${value}. Give a whole number from ${min} to ${maxInt32}`)
  }
}

export function checkBoolean(path: string, value: boolean): void {
  if (typeof value !== 'boolean') throw new Refusal(path, `is ${kindOf(value)}. Give true or false`)
}

export function checkList(path: string, elements: readonly unknown[]): void {
  if (!Array.isArray(elements)) throw new Refusal(path, `is ${kindOf(elements)}. Give an array`)
}

export function checkSome(path: string, elements: readonly unknown[]): void {
  checkList(path, elements)
  if (elements.length === 0) throw new Refusal(path, 'is empty. Give at least one')
}

export function checkText(path: string, value: string): void {
  if (typeof value !== 'string') throw new Refusal(path, `is ${kindOf(value)}. Give text`)
  if (!value.isWellFormed()) throw new Refusal(path, `is ${show(value)}, which has half a character and cannot be sent as UTF-8`)
}

/** The number of a name in the enumerations of HBase. */
export function numberOf<Name extends string>(path: string, name: Name, numbers: Readonly<Record<Name, number>>): number {
  if (typeof name === 'string' && Object.hasOwn(numbers, name)) return numbers[name]
  throw new Refusal(path, `is ${typeof name === 'string' ? show(name) : kindOf(name)}. Give one of ${Object.keys(numbers).join(', ')}`)
}

/** What a value is instead of what it should be. Objects are not shown: they may be large or hold secrets. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export const areEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
