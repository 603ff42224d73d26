import type { Cell, Cells, Column } from './workloads.js'

/** What one codec makes of some keys. */
export interface Coded {
  readonly columns: readonly Column[]
  readonly cells: readonly Cells[]
  readonly keys: readonly (Uint8Array | string)[]
  /** The codec turns columns with `desc` around. */
  readonly descends: boolean
}

/**
 * How many neighbours stand in the wrong order. If all neighbours are right, so are all pairs. A codec whose keys are strings may
 * order text by UTF-16 unit instead of code point: both are an order.
 */
export function misplaced({ columns, cells, keys, descends }: Coded): number {
  const orders = [compareCodePoints, compareUnits].map((compareText) => {
    const compare = (a: Cells, b: Cells): number => compareCells(columns, descends, compareText, a, b)
    const sorted = cells.map((each, i) => ({ each, key: keys[i] as Uint8Array | string })).sort((a, b) => compare(a.each, b.each))
    return countMisplaced(sorted.map(({ key }) => key))
  })
  return Math.min(...orders)
}

/** How many keys of a list are not above the one before. */
export function countMisplaced(keys: readonly (Uint8Array | string)[]): number {
  return keys.filter((key, i) => i > 0 && compareKeys(keys[i - 1] as Uint8Array | string, key) >= 0).length
}

/** Same cells; -0 is not 0 and a number is no bigint. */
export function sameCells(given: unknown, wanted: Cells): boolean {
  return Array.isArray(given) && given.length === wanted.length && wanted.every((cell, i) => sameCell(given[i], cell))
}

function sameCell(given: unknown, wanted: Cell): boolean {
  if (!(wanted instanceof Uint8Array)) return Object.is(given, wanted)
  return given instanceof Uint8Array && Buffer.compare(given, wanted) === 0
}

function compareCells(columns: readonly Column[], descends: boolean, compareText: (a: string, b: string) => number, a: Cells, b: Cells) {
  for (const [i, { desc }] of columns.entries()) {
    const found = compareCell(compareText, a[i] as Cell, b[i] as Cell)
    if (found !== 0) return descends && desc === true ? -found : found
  }
  return 0
}

function compareCell(compareText: (a: string, b: string) => number, a: Cell, b: Cell): number {
  if (typeof a === 'string') return compareText(a, b as string)
  if (a instanceof Uint8Array) return Buffer.compare(a, b as Uint8Array)
  return compareUnits(a as number, b as number)
}

function compareUnits<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const compareCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

function compareKeys(a: Uint8Array | string, b: Uint8Array | string): number {
  if (typeof a === 'string') return compareUnits(a, b as string)
  return Buffer.compare(a, b as Uint8Array)
}
