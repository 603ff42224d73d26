// Tested by packages/rowkey/test/mapper/growth.test.ts.
import { leastBytes, type CountFrom, type Salt } from './salts/salt.js'
import type { TypeData } from './type/column-type.js'
import { derived } from './type/type-impl.js'

// Numbers of buckets and lengths of periods are lists to which tables append. These functions treat both alike.

/**
 * The items of a list after the first one, which have a day from which they hold.
 *
 * @example
 * ```ts
 * laterItems(bucket({ of: 'seq', count: [{ count: 4 }, { from: '2027-01-01', count: 16 }] })).length //=> 1
 * ```
 */
export const laterItems = (of: TypeData | Salt): readonly { readonly from: string }[] =>
  'nullable' in of ? (of.changes ?? []) : ((of.counts?.slice(1) ?? []) as readonly Required<CountFrom>[])

/**
 * A type or a salt with only so many later items of its list: as it was before the others were appended.
 *
 * @example
 * ```ts
 * cutItems(bucket({ of: 'seq', count: [{ count: 4 }, { from: '2027-01-01', count: 16 }] }), 0).count //=> 4
 * ```
 */
export function cutItems<T extends TypeData | Salt>(of: T, later: number): T {
  if (laterItems(of).length <= later && !isListOfOne(of)) return of
  const whole: TypeData | Salt = of
  return ('nullable' in whole ? cutType(whole, later) : cutSalt(whole, later)) as T
}

const cutType = (of: TypeData, later: number): TypeData =>
  derived<object>(of, { changes: later === 0 ? undefined : of.changes?.slice(0, later) }) as TypeData

function cutSalt(of: Salt, later: number): Salt {
  const counts = of.counts?.slice(0, later + 1) ?? []
  const count = Math.max(...counts.map((each) => each.count))
  return derived<object>(of, { count, counts: counts.length === 1 ? undefined : counts }) as Salt
}

/** A list that may grow is the same as the number in it. */
const isListOfOne = (of: TypeData | Salt): boolean => !('nullable' in of) && of.counts?.length === 1

/**
 * Whether bucket numbers of a salt have the length that they had before items were appended.
 *
 * @example
 * ```ts
 * keepsBytes(bucket({ of: 'seq', count: 4 }), bucket({ of: 'seq', count: 256 })) //=> true
 * keepsBytes(bucket({ of: 'seq', count: 4 }), bucket({ of: 'seq', count: 257 })) //=> false
 * ```
 */
export const keepsBytes = (before: Salt, after: Salt): boolean =>
  (before.bytes ?? leastBytes(before.count)) === (after.bytes ?? leastBytes(after.count)) &&
  (before.decimalDigits === undefined ||
    Math.max(before.decimalDigits, String(after.count - 1).length) === Math.max(before.decimalDigits, String(before.count - 1).length))
