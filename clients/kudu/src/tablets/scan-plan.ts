// Tested by scanner.test.ts.
import type { ColumnPredicatePB, ColumnSchemaPB } from '../proto/messages.js'
import { checkList, checkNames, checkObject, inside, kindOf, Refusal, type Names } from '../refusal.js'
import type { Scan } from '../requests.js'
import { predicatesOf } from '../rows/conditions.js'
import { factsOf, prunedRanges, type KeyInterval } from '../rows/pruning.js'
import { show } from '../show.js'
import type { KuduTable, TableColumn } from '../table.js'
import { wireColumn } from './wire-columns.js'

/** A scan that was checked, in the forms in which it is sent. */
export interface ScanPlan {
  readonly columns: readonly TableColumn[]
  readonly projectedColumns: readonly ColumnSchemaPB[]
  readonly columnPredicates: readonly ColumnPredicatePB[]
  readonly start: Uint8Array | undefined
  readonly stop: Uint8Array | undefined
  readonly after: Uint8Array | undefined
  /** Where its tablets are, in order. */
  readonly intervals: readonly KeyInterval[]
  /** Infinity: no limit. */
  readonly limit: number
  readonly isOrdered: boolean
  readonly snapshot: bigint | undefined
  readonly batchBytes: number
  readonly tablet: string | undefined
}

const scanNames: Names<Scan> = {
  columns: true,
  where: true,
  start: true,
  stop: true,
  after: true,
  limit: true,
  isOrdered: true,
  snapshot: true,
  batchBytes: true,
  tablet: true,
}

const defaultBatchBytes = 2 ** 20
const maxBatchBytes = 2 ** 28

/** @throws Refusal that names what is wrong */
export function planOf(table: KuduTable, scan: Scan): ScanPlan {
  checkObject('scan', scan)
  checkNames(scan, scanNames, 'scan')
  const { columns: names, start, after, limit, isOrdered = false, snapshot, batchBytes, tablet } = scan
  if (after !== undefined) {
    if (!(after instanceof Uint8Array))
      throw new Refusal('scan.after', `is ${kindOf(after)}. Give an encoded key, such as lastKey of a batch`)
    if (!isOrdered) throw new Refusal('scan.after', 'is for ordered scans only: rows in any order have none that follow a key')
    if (start !== undefined) throw new Refusal('scan.start', 'is there as well as scan.after. Give one of the two')
  }
  if (snapshot !== undefined && (typeof snapshot !== 'bigint' || BigInt.asUintN(64, snapshot) !== snapshot))
    throw new Refusal('scan.snapshot', 'is no hybrid timestamp, a bigint of 64 bits')
  const columns = projectionOf(table, names)
  const facts = inside('scan', () => factsOf(table, scan))
  return {
    columns,
    projectedColumns: columns.map(wireColumn),
    columnPredicates: facts.conditions === undefined ? [] : predicatesOf(facts.conditions),
    start: facts.start,
    stop: facts.stop,
    after,
    intervals: tablet === undefined ? prunedRanges(table, facts) : [],
    limit: limit === undefined ? Infinity : wholeNumber('scan.limit', limit, Number.MAX_SAFE_INTEGER),
    isOrdered,
    snapshot,
    batchBytes: batchBytes === undefined ? defaultBatchBytes : wholeNumber('scan.batchBytes', batchBytes, maxBatchBytes),
    tablet,
  }
}

/** The columns of these names, or all. */
export function projectionOf(table: KuduTable, names: readonly string[] | undefined): readonly TableColumn[] {
  if (names === undefined) return table.columns
  checkList('columns', names)
  const seen = new Set<string>()
  return names.map((name, index) => {
    const column = table.columns.find((each) => each.name === name)
    if (column === undefined) throw new Refusal(`columns[${index}]`, `is ${show(String(name))}, which the table does not have`)
    if (seen.has(name)) throw new Refusal(`columns[${index}]`, `is ${show(name)} again. A row has a column once`)
    seen.add(name)
    return column
  })
}

function wholeNumber(path: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new Refusal(path, `is ${typeof value === 'number' ? value : kindOf(value)}. Give a whole number from 1 to ${max}`)
}
