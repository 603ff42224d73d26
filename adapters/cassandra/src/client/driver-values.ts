import type { types } from 'cassandra-driver'

// What the driver makes of CQL values. Whether 64-bit integers and varints are its own classes or bigints is an option of the client.

/** Of `bigint`. */
export function bigintOf(given: unknown): bigint {
  if (typeof given === 'bigint') return given
  const { high, low } = given as types.Long
  return (BigInt(high) << 32n) | BigInt(low >>> 0)
}

/** Of `varint`. */
export function varintOf(given: unknown): bigint {
  return typeof given === 'bigint' ? given : BigInt((given as types.Integer).toString())
}

/** Of `blob`, as a copy, because the driver's may be a view into everything it has received. */
export const bytesOf = (given: unknown): Uint8Array => new Uint8Array(given as Buffer)

const dayMs = 86_400_000

/** Of `date`: days from 1970; NaN outside the range of a Date. */
export const daysOf = (given: unknown): number => (given as { readonly date: Date }).date.getTime() / dayMs

/** Of `timestamp`: epoch milliseconds; NaN outside the range of a Date. */
export const instantOf = (given: unknown): number => (given as Date).getTime()

/** Of `decimal`, as text with the given scale, whatever scale it was written with; undefined if digits would be lost. */
export function decimalOf(given: unknown, scale: number): string | undefined {
  const { toBuffer } = (given as types.BigDecimal).constructor as typeof types.BigDecimal
  const bytes = toBuffer(given as types.BigDecimal) // its text is wrong for scales below 0
  const unscaled = BigInt.asIntN((bytes.length - 4) * 8, BigInt(`0x${bytes.toString('hex', 4)}`))
  const digits = rescaled(unscaled, bytes.readInt32BE() - scale)
  if (digits === undefined) return undefined
  const all = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = all.length - scale
  return (digits < 0n ? '-' : '') + all.slice(0, point) + (scale === 0 ? '' : `.${all.slice(point)}`)
}

/** A number with more zeros is refused, because it would take too much memory. */
const maxZeros = 1000

function rescaled(unscaled: bigint, tooMany: number): bigint | undefined {
  if (Math.abs(tooMany) > maxZeros) return undefined
  if (tooMany <= 0) return unscaled * 10n ** BigInt(-tooMany)
  const unit = 10n ** BigInt(tooMany)
  return unscaled % unit === 0n ? unscaled / unit : undefined
}
