// Tested by packages/rowkey/test/mapper/writes-changes.test.ts.
import type { Value } from '#codec'
import type { SchemaColumn } from '#model'
import { type Storage, typeFacts } from '#codec/internal'

type Numeric = Extract<Storage, { class: 'int' | 'bigint' | 'decimal' }>

/** The storage of a column that can be added to: integers and decimals, not instants or floats. */
export function addable({ type }: Pick<SchemaColumn, 'type'>): Numeric | undefined {
  const { storage } = typeFacts(type)
  if (storage.class === 'decimal') return storage
  return (storage.class === 'int' || storage.class === 'bigint') && !('counts' in storage) ? storage : undefined
}

/** The value of a column from which an addition starts, if the stored one is null. */
export function startOf(column: Pick<SchemaColumn, 'type'>): Value {
  const { type } = column
  if (!type.nullable && type.default?.kind === 'constant') return type.default.value
  const storage = addable(column)
  if (storage?.class === 'decimal') return scaled(0n, storage.scale)
  return storage?.class === 'bigint' ? 0n : 0
}

/** A value plus an amount, exactly; undefined if the sum is outside of the column. */
export function sumOf(column: Pick<SchemaColumn, 'type'>, current: Value, by: Value): Value | undefined {
  const { accepts } = typeFacts(column.type)
  const storage = addable(column) as Numeric
  const from = current ?? startOf(column)
  if (storage.class === 'decimal') {
    const sum = scaled(unscaled(from as string, storage.scale) + unscaled(by as string, storage.scale), storage.scale)
    return accepts(sum) ? sum : undefined
  }
  // Both are safe integers. A sum beyond those is rounded, but then it is outside of every column of numbers.
  const sum = storage.class === 'bigint' ? (from as bigint) + (by as bigint) : (from as number) + (by as number)
  const { least, most } = rangeOf(column, storage)
  return sum >= least && sum <= most ? sum : undefined
}

/** What a column of integers can hold. One of 64 bits that is a number in JavaScript holds safe integers only. */
function rangeOf(
  { type }: Pick<SchemaColumn, 'type'>,
  storage: Exclude<Numeric, { class: 'decimal' }>,
): { readonly least: number | bigint; readonly most: number | bigint } {
  if (storage.class === 'int' || type.as !== 'number') return { least: storage.min, most: storage.max }
  const safe = BigInt(Number.MAX_SAFE_INTEGER)
  return { least: storage.min < -safe ? -safe : storage.min, most: storage.max > safe ? safe : storage.max }
}

/** The smallest and the greatest value of a column to which an amount can be added, as decimal text. */
export function summable(column: Pick<SchemaColumn, 'type'>, by: Value): { readonly from: string; readonly to: string } {
  const storage = addable(column) as Numeric
  const [scale, amount, least, most] =
    storage.class === 'decimal'
      ? [storage.scale, unscaled(by as string, storage.scale), 1n - 10n ** BigInt(storage.precision), 10n ** BigInt(storage.precision) - 1n]
      : [0, BigInt(by as number | bigint), ...integerRange(column, storage)]
  const from = least - amount > least ? least - amount : least
  const to = most - amount < most ? most - amount : most
  return { from: scaled(from, scale), to: scaled(to, scale) }
}

function integerRange(column: Pick<SchemaColumn, 'type'>, storage: Exclude<Numeric, { class: 'decimal' }>): readonly [bigint, bigint] {
  const { least, most } = rangeOf(column, storage)
  return [BigInt(least), BigInt(most)]
}

/** The digits of a decimal with this many places, as a number of its smallest units. */
function unscaled(text: string, scale: number): bigint {
  const [whole = '0', places = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + places.padEnd(scale, '0'))
  return text.startsWith('-') ? -units : units
}

/** The inverse, in the canonical form. */
export function scaled(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`
  return units < 0n ? `-${text}` : text
}
