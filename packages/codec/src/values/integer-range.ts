import type { Kind } from '../types/column-type.js'

/** Byte width and signedness of the integer kinds. */
export const integerKinds: Partial<Record<Kind, { readonly bytes: 1 | 2 | 4 | 8; readonly signed: boolean }>> = {
  int8: { bytes: 1, signed: true },
  int16: { bytes: 2, signed: true },
  int32: { bytes: 4, signed: true },
  int64: { bytes: 8, signed: true },
  uint8: { bytes: 1, signed: false },
  uint16: { bytes: 2, signed: false },
  uint32: { bytes: 4, signed: false },
  uint64: { bytes: 8, signed: false },
}

/** Inclusive bounds of an integer kind. */
export function integerRange(bytes: number, signed: boolean): { readonly min: bigint; readonly max: bigint } {
  const values = 1n << BigInt(bytes * 8)
  return signed ? { min: -values / 2n, max: values / 2n - 1n } : { min: 0n, max: values - 1n }
}

/** The farthest instant a `Date` can hold, in ms from 1970. */
export const lastInstant = 8.64e15
