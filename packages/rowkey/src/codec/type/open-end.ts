// Also tested by constants.test.ts.
import type { Row, TypeData, Value } from './column-type.js'
import { compareBytes, compareText } from '../compare.js'
import { showName } from '../show.js'

/**
 * What a layout has to know of a type without an end of its own: the encoding of a value may begin that of another one, because its end is found
 * from the end of the key. The types bring it along, so that a bundle without them has none of it.
 */
export interface OpenEnd {
  /** What is wrong with the place or the form of such a column, and the remedy; undefined if nothing is. `rest`: the columns after it. */
  misplaced(column: KeyColumn, isPartition: boolean, rest: readonly KeyColumn[]): string | undefined
  /** The order of keys from the column at `split` on, if it has none of its own. */
  order?(columns: readonly KeyColumn[], split: number): SplitOrder
}

/** What is needed here of the codec of a column. */
interface KeyColumn {
  readonly name: string
  readonly type: TypeData
  readonly minBytes: number
  readonly maxBytes: number
  size(value: Value): number
  write(target: Uint8Array, at: number, value: Value): number
}

interface Bound {
  readonly prefix: Row
  readonly edge: 'before' | 'after'
}

/** Types with an end, for those that end with the key. */
const insteadOf: Partial<Record<TypeData['kind'], string>> = {
  lastBytes: 'bytes()',
  digits: 'digits() with { width } or { separator }',
  reversed: 'reversed() of a type with an end',
}

/** It ends with the key: nothing may follow, and its bytes are in the order of its values. */
export const lastEnd: OpenEnd = {
  misplaced({ type }, isPartition, rest) {
    const instead = insteadOf[type.kind] ?? 'text()'
    const wrong = wrongForm(type, isPartition)
    if (wrong !== undefined) return `is ${type.kind}, which ${wrong}. Use ${instead}`
    const [next] = rest
    if (next === undefined) return undefined
    return `is ${type.kind}, which ends with the key, so '${showName(next.name)}' cannot follow it. Put it last, or use ${instead}`
  },
}

/** It ends at its last separator, or without one, a fixed number of bytes before the end of the key. */
export const splitEnd: OpenEnd = {
  misplaced({ type }, isPartition, rest) {
    const what = "is separatedText with { split: 'last' }"
    const instead = 'separatedText() without { split }'
    const wrong = wrongForm(type, isPartition)
    if (wrong !== undefined) return `${what}, which ${wrong}. Use ${instead}`
    const next = rest.find(({ minBytes, maxBytes }) => minBytes !== maxBytes)
    if (next === undefined) return undefined
    const which = `'${showName(next.name)}' (${next.type.kind})`
    return `${what}, so the columns after it must have a fixed number of bytes, and ${which} has not. Use fixedText() or a number there, or ${instead}`
  },
  order: splitOrder,
}

function wrongForm({ nullable, desc, followedBy }: TypeData, isPartition: boolean): string | undefined {
  const form = nullable ? 'nullable' : desc ? 'descending' : followedBy === undefined ? undefined : 'followed by text'
  if (form !== undefined) return `has no end of its own, so it cannot be ${form} in a key`
  return isPartition ? 'has no end of its own, so it cannot be a partition column' : undefined
}

/**
 * The order of keys with a column that ends at its last separator. Its encoding may begin another one: the keys of the user 'bob' are on both
 * sides of those of 'bob_7'. So from this column on, keys and bounds have the order of their bytes and not of their columns.
 */
export interface SplitOrder {
  /** Where it begins. */
  readonly column: number
  /** The order of two rows with the same values before that column. */
  compareRows(a: Row, b: Row): number
  /** The same for two bounds that both have a value in that column. */
  compareBounds(a: Bound, b: Bound): number
}

function splitOrder(columns: readonly KeyColumn[], split: number): SplitOrder {
  /** The bytes of the columns from the split one on, as far as there are values. */
  const bytesFrom = (values: Row): Uint8Array => {
    const end = Math.min(values.length, columns.length)
    let size = 0
    for (let i = split; i < end; i++) size += (columns[i] as KeyColumn).size(values[i] as Value)
    const bytes = new Uint8Array(size)
    let at = 0
    for (let i = split; i < end; i++) at = (columns[i] as KeyColumn).write(bytes, at, values[i] as Value)
    return bytes
  }
  /** Undefined if only the bytes of all columns tell. */
  const byText = (a: Row, b: Row): number | undefined => {
    const [x, y] = [a[split] as string, b[split] as string]
    return x.startsWith(y) || y.startsWith(x) ? undefined : compareText(x, y)
  }
  return {
    column: split,
    compareRows: (a, b) => byText(a, b) ?? compareBytes(bytesFrom(a), bytesFrom(b)),
    compareBounds(a, b) {
      const order = byText(a.prefix, b.prefix)
      if (order !== undefined) return order
      const [x, y] = [bytesFrom(a.prefix), bytesFrom(b.prefix)]
      const bytes = compareBytes(x, y)
      const [rankA, rankB] = [rank(a, columns.length), rank(b, columns.length)]
      if (bytes === 0) return rankA - rankB
      // After a prefix is after all bytes that start with it.
      if (rankA === ranks.afterPrefix && bytes < 0 && begins(x, y)) return 1
      if (rankB === ranks.afterPrefix && bytes > 0 && begins(y, x)) return -1
      return bytes
    },
  }
}

/** Where a bound is among all byte strings that start with its bytes. */
const ranks = { before: 0, afterKey: 1, afterPrefix: 2 } as const

const rank = ({ prefix, edge }: Bound, keyLength: number): number =>
  edge === 'before' ? ranks.before : prefix.length < keyLength ? ranks.afterPrefix : ranks.afterKey

const begins = (short: Uint8Array, long: Uint8Array): boolean => compareBytes(short, long.subarray(0, short.length)) === 0
