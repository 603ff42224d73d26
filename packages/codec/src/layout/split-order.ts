// Tested by open-ended.test.ts.
import type { ColumnCodec } from '../type/column-codec.js'
import type { Row, Value } from '../type/column-type.js'
import type { Bound } from './bound.js'
import { compareBytes, compareText } from '../compare.js'

/**
 * The order of keys with a column that ends at its last separator. Its encoding may begin another one: the keys of the user `bob` are on both
 * sides of those of `bob_7`. So from this column on, keys and bounds have the order of their bytes and not of their columns.
 */
export interface SplitOrder {
  /** Where it begins. */
  readonly column: number
  /** The order of two rows with the same values before that column. */
  compareRows(a: Row, b: Row): number
  /** The same for two bounds that both have a value in that column. */
  compareBounds(a: Bound, b: Bound): number
}

export function splitOrder(columns: readonly ColumnCodec[], split: number): SplitOrder {
  /** The bytes of the columns from the split one on, as far as there are values. */
  const bytesFrom = (values: Row): Uint8Array => {
    const end = Math.min(values.length, columns.length)
    let size = 0
    for (let i = split; i < end; i++) size += (columns[i] as ColumnCodec).size(values[i] as Value)
    const bytes = new Uint8Array(size)
    let at = 0
    for (let i = split; i < end; i++) at = (columns[i] as ColumnCodec).write(bytes, at, values[i] as Value)
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
