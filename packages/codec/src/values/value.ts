/**
 * A value in canonical form, as rows between the layers hold it.
 *
 * bool: boolean · 8- to 32-bit integers, floats, timestamp('ms') (epoch ms), date (days since 1970-01-01): number · 64-bit
 * integers, µs, ns: bigint · text, uuid, dictionary, json (its text): string · bytes: Uint8Array.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array

/** A row or the beginning of one, by position. Immutable. */
export type Row = readonly Value[]
