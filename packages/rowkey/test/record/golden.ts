import { fromHex, toHex, type Value } from '#codec'
import { catalogOfJSON, type TableCatalog } from '#store/adapter'
import { readFileSync } from 'node:fs'

/** A value as JSON: what JSON does not have stands in an object of its own. */
export type Tagged = null | boolean | number | string | { readonly bigint: string } | { readonly hex: string } | { readonly number: string }

/** Records of one version of the format, written once. */
export interface Golden {
  readonly format: number
  /** The table when the records were written, and after it has grown. */
  readonly catalog: TableCatalog
  readonly grown: TableCatalog
  readonly records: readonly {
    readonly what: string
    readonly hex: string
    /** Values by physical name; what is left out is null. */
    readonly values: Readonly<Record<string, Tagged>>
    /** It was written to the grown table. */
    readonly grown?: true
  }[]
}

export function golden(version: number): Golden {
  const stored = JSON.parse(readFileSync(new URL(`golden/format-${version}.json`, import.meta.url), 'utf8')) as Golden
  return { ...stored, catalog: read(stored.catalog), grown: read(stored.grown) }
}

/** The file has catalogs as stores keep them. */
const read = (stored: object): TableCatalog => catalogOfJSON(stored) as TableCatalog

export function toValue(tagged: Tagged): Value {
  if (tagged === null || typeof tagged !== 'object') return tagged
  if ('bigint' in tagged) return BigInt(tagged.bigint)
  return 'hex' in tagged ? fromHex(tagged.hex) : Number(tagged.number)
}

/** Equal exactly when the values are, −0 and NaN included. */
export const textOf = (value: Value): string =>
  value instanceof Uint8Array
    ? `0x${toHex(value)}`
    : typeof value === 'bigint'
      ? `${value}n`
      : Object.is(value, -0)
        ? '-0'
        : typeof value === 'number'
          ? String(value)
          : JSON.stringify(value)
