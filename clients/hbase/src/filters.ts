// Tested by real.test.ts.
import { areEqual, checkBytes, checkFamily, checkList, checkSome, each, numberOf, refusing, Refusal } from './encode/limits.js'
import type { CompareOperator } from './requests.js'

const packageName = 'org.apache.hadoop.hbase.filter.'

/** Compares a column with a value. */
export interface ColumnValueFilter {
  readonly family: Uint8Array
  readonly qualifier: Uint8Array
  /** `less` passes rows whose stored value is less than `value`: the other way round than in a check. */
  readonly operator: CompareOperator
  /** Compared byte by byte, as unsigned numbers. */
  readonly value: Uint8Array
  /** What becomes of rows without the column. */
  readonly ifMissing: 'pass' | 'drop'
}

/** A range of rows. */
export interface RowRange {
  /** Empty = from the first row. */
  readonly start: Uint8Array
  /** Default true. */
  readonly startInclusive?: boolean | undefined
  /** Empty = to the last row. */
  readonly stop: Uint8Array
  /** Default false. */
  readonly stopInclusive?: boolean | undefined
}

/**
 * Rows that pass all filters.
 *
 * @example
 * ```ts
 * const [family, qualifier] = [Buffer.from('f'), Buffer.from('age')]
 * const isAdult = columnValue({ family, qualifier, operator: 'greaterOrEqual', value: Buffer.from([18]), ifMissing: 'drop' })
 * const filter = allOf([isAdult, keyOnly()])
 * ```
 */
export const allOf = (filters: readonly Uint8Array[]): Uint8Array => filterList('allOf', 1, filters)

/** Rows that pass one of the filters. */
export const anyOf = (filters: readonly Uint8Array[]): Uint8Array => filterList('anyOf', 2, filters)

/** Rows whose newest value of a column compares so. A scan with `columns` must select the column, or it is missing. */
export function columnValue({ family, qualifier, operator, value, ifMissing }: ColumnValueFilter): Uint8Array {
  return refusing('columnValue', () => {
    checkFamily('family', family)
    checkBytes('qualifier', qualifier)
    checkBytes('value', value)
    const number = numberOf('operator', operator, operators)
    const dropsMissing = numberOf('ifMissing', ifMissing, { pass: 0, drop: 1 })
    const comparator = named('BinaryComparator', bytes(1, bytes(1, value)))
    return named('SingleColumnValueFilter', [
      ...[bytes(1, family), bytes(2, qualifier), int(3, number), bytes(4, comparator)],
      ...[int(5, dropsMissing), int(6, 1)],
    ])
  })
}

/**
 * Cells of one qualifier, in any family. Beside {@link columnValue} in {@link anyOf} it makes that a row which fails still comes, with this cell
 * alone or with those before the cell that failed: then a reader knows how far a scan came.
 */
export function qualifierIs(qualifier: Uint8Array): Uint8Array {
  return refusing('qualifierIs', () => {
    checkBytes('qualifier', qualifier)
    const comparator = named('BinaryComparator', bytes(1, bytes(1, qualifier)))
    return named('QualifierFilter', bytes(1, Buffer.concat([int(1, operators.equal), bytes(2, comparator)])))
  })
}

/**
 * Cells whose qualifier begins with one of these. The server jumps from one to the next, as it does for `columns`. But with NEW_VERSION_BEHAVIOR it
 * passes over every value that a cell of `columns` had before, and not over those of this filter.
 */
export function qualifierStartsWith(prefixes: readonly Uint8Array[]): Uint8Array {
  return refusing('qualifierStartsWith', () => {
    checkSome('prefixes', prefixes)
    each('prefixes', prefixes, (prefix) => checkBytes('', prefix))
    const sorted = [...prefixes].sort((a, b) => Buffer.compare(a, b))
    const distinct = sorted.filter((prefix, i) => i === 0 || !areEqual(prefix, sorted[i - 1] as Uint8Array)) // the server refuses others
    return named(
      'MultipleColumnPrefixFilter',
      distinct.map((prefix) => bytes(1, prefix)),
    )
  })
}

/** Over a range without an end, a reversed scan would lose the rows of all ranges before it. No row is greater than this one. */
const greatest = Buffer.alloc(32_767, 255)

/** Rows of several ranges. The server jumps from one to the next; ranges that overlap are one. */
export function multiRowRange(ranges: readonly RowRange[]): Uint8Array {
  return refusing('multiRowRange', () => {
    checkSome('ranges', ranges)
    const parts: Uint8Array[] = []
    each('ranges', ranges, ({ start, startInclusive = true, stop, stopInclusive = false }) => {
      checkBytes('start', start)
      checkBytes('stop', stop)
      if (stop.length > 0 && Buffer.compare(start, stop) > 0) throw new Refusal('stop', 'is before start')
      const isOpen = stop.length === 0
      const end = isOpen ? greatest : stop
      const range = [bytes(1, start), int(2, startInclusive ? 1 : 0), bytes(3, end), int(4, isOpen || stopInclusive ? 1 : 0)]
      parts.push(bytes(1, Buffer.concat(range)))
    })
    return named('MultiRowRangeFilter', parts)
  })
}

/** The first cell of each row only. */
export const firstKeyOnly = (): Uint8Array => named('FirstKeyOnlyFilter', [])

/** Cells without their values. */
export const keyOnly = (): Uint8Array => named('KeyOnlyFilter', int(1, 0))

const operators: Readonly<Record<CompareOperator, number>> = {
  less: 0,
  lessOrEqual: 1,
  equal: 2,
  notEqual: 3,
  greaterOrEqual: 4,
  greater: 5,
}

function filterList(call: string, operator: number, filters: readonly Uint8Array[]): Uint8Array {
  return refusing(call, () => {
    checkList('filters', filters)
    each('filters', filters, (filter) => checkBytes('', filter))
    return named('FilterList', [int(1, operator), ...filters.map((filter) => bytes(2, filter))])
  })
}

/** The message `Filter` or `Comparator`: a Java class, and what it reads itself from. */
const named = (name: string, content: Uint8Array | readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([bytes(1, Buffer.from(packageName + name)), bytes(2, content instanceof Uint8Array ? content : Buffer.concat(content))])

/** A field of a Protocol Buffers message with bytes, text or a message. */
const bytes = (field: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(content.length)]), content])

/** A field with a number or a boolean. */
const int = (field: number, value: number): Uint8Array => Buffer.from([field << 3, ...varint(value)])

function varint(value: number): number[] {
  const groups: number[] = []
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) groups.push((rest & 0x7f) | 0x80)
  return [...groups, rest]
}
