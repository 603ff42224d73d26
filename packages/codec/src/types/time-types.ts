import type { ColumnType, TypeOptions } from './column-type.js'
import { codecError } from '../error.js'
import { show } from '../values/show.js'
import { dateKind, timestampKind } from '../kinds/times.js'
import { make } from './make.js'

interface As {
  Date: Date
  bigint: bigint
  number: number
}
interface InstantAs {
  ms: keyof As
  us: 'bigint'
  ns: 'bigint'
}
interface InstantDefault {
  ms: 'Date'
  us: 'bigint'
  ns: 'bigint'
}

/** Options of {@link timestamp}: how its values look in JavaScript. */
export interface TimestampOptions<A> extends TypeOptions {
  readonly as?: A
}

/**
 * An instant, counted from 1970-01-01 UTC in milliseconds, microseconds or nanoseconds. Milliseconds are a `Date` (or number or
 * bigint by `as`), the finer ones a bigint. Bytes: int64, big-endian, sign bit flipped. `default: 'now'` fills it on insert and put.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE` for an unknown unit or an `as` that cannot hold it.
 * @example
 * ```ts
 * toHex(keyLayout([['at', desc(timestamp('ms'))]]).encode({ at: new Date(1700000000000) })) //=> '7ffffe74301a97ff'
 * ```
 */
export function timestamp<U extends keyof InstantAs, A extends InstantAs[U] = InstantDefault[U]>(
  unit: U,
  options: TimestampOptions<A> & { readonly default: 'now' | As[NoInfer<A>] },
): ColumnType<As[A], 'range' | 'default'>
export function timestamp<U extends keyof InstantAs, A extends InstantAs[U] = InstantDefault[U]>(
  unit: U,
  options?: TimestampOptions<A>,
): ColumnType<As[A], 'range'>
export function timestamp(unit: keyof InstantAs, options?: TimestampOptions<keyof As>): ColumnType<never, 'range'> {
  const fine = unit === 'us' || unit === 'ns'
  const as = options?.as ?? (fine ? 'bigint' : 'Date')
  if ((!fine && unit !== 'ms') || (fine && as !== 'bigint') || !['Date', 'bigint', 'number'].includes(as)) {
    throw codecError(
      'INVALID_COLUMN_TYPE',
      `timestamp(${show(unit)}) as ${show(as)} cannot be. Use 'ms' as 'Date', 'number' or 'bigint', or 'us' and 'ns' as 'bigint'.`,
      { type: 'timestamp' },
    )
  }
  return make({ kind: 'timestamp', unit, as }, timestampKind, options, ['as'])
}

/** Options of {@link date}. */
export interface DateOptions<A> extends TypeOptions {
  readonly as?: A
}

/**
 * A calendar day: a `Date` at midnight UTC, or days since 1970-01-01 with `{ as: 'number' }`. Bytes: int32 days, big-endian, sign
 * bit flipped.
 *
 * @throws RowkeyError `INVALID_VALUE` on encoding a Date that is not midnight UTC.
 * @example
 * ```ts
 * toHex(keyLayout([['day', date()]]).encode({ day: new Date('2026-01-01') })) //=> '80004fe6'
 * ```
 */
export function date<A extends 'Date' | 'number' = 'Date'>(
  options: DateOptions<A> & { readonly default: 'now' | As[NoInfer<A>] },
): ColumnType<As[A], 'range' | 'default'>
export function date<A extends 'Date' | 'number' = 'Date'>(options?: DateOptions<A>): ColumnType<As[A], 'range'>
export function date(options?: DateOptions<'Date' | 'number'>): ColumnType<never, 'range'> {
  const as = options?.as ?? 'Date'
  if (as === 'Date' || as === 'number') return make({ kind: 'date', as }, dateKind, options, ['as'])
  throw codecError('INVALID_COLUMN_TYPE', `date as ${show(as)} cannot be. Use 'Date' or 'number'.`, { type: 'date' })
}
