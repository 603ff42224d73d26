// Tested by declared-ranges.test.ts and boundaries.test.ts.
import { type SchemaColumn, isKuduHash, typeFacts } from 'rowkey/internal'
import type { KuduRanges } from './store-profile.js'
import type { Subject } from './subject.js'

/** Whether the table will be in Kudu. Its hash levels are the salt of the model, its ranges those of `kudu`. */
export const isKudu = ({ store }: Subject): boolean => store?.name === 'kudu'

/** Its ranges: those of the options, or those that the model declares. */
export const rangesOf = ({ store, schema }: Subject): KuduRanges | undefined =>
  ofTable(store?.kudu?.ranges, schema.name) ?? declaredRanges(schema)

/** What a model says of ranges: `stores: { kudu: { range } }`, which the adapter checks. */
interface Declared {
  readonly of?: string | readonly string[]
  readonly every?: unknown
  readonly ahead?: number
  readonly keep?: number
  readonly splits?: readonly unknown[]
  readonly bounds?: readonly unknown[]
}

/** The ranges of a model, numbered: how many there are, and whether the last one is open, is all that rules ask of them. */
function declaredRanges({ stores, columns, keyLength }: Subject['schema']): KuduRanges | undefined {
  const { range } = (stores['kudu'] ?? {}) as { readonly range?: Declared }
  if (typeof range !== 'object' || range === null) return undefined
  const { of, splits, bounds, ahead = 2, keep = 0 } = range
  const named = of === undefined ? columns.slice(0, keyLength).find(({ type }) => type.every !== undefined)?.name : [of].flat()[0]
  if (named === undefined) return undefined
  const isTimed = splits === undefined && bounds === undefined
  const count = isTimed ? keep + 1 + ahead : (bounds?.length ?? 1) + (splits?.length ?? 0)
  const isOpen = !isTimed && bounds === undefined
  return {
    column: named,
    bounds: Array.from({ length: count }, (_, i) => [isOpen && i === 0 ? null : i, isOpen && i === count - 1 ? null : i + 1] as const),
  }
}

/** Hash partitions that the application wants for tables without a salt; undefined: none. */
const hashOption = ({ store }: Subject): number | undefined => (store?.storeOptions as { readonly hash?: number } | undefined)?.hash

/** Into how many parts hash levels divide each range; a salt that is none is a column by which the table is divided. 1: there are no levels. */
export function hashBuckets(subject: Subject): number {
  const { salt, layout } = subject.schema
  return salt.length === 0 ? (hashOption(subject) ?? 1) : layout.buckets
}

/** Why Kudu has no type for a key column; undefined: nothing speaks against it. */
export function keyTypeFault({ type }: SchemaColumn): string | undefined {
  if (type.nullable) return 'may be null'
  const { class: stored } = typeFacts(type).storage
  return stored === 'boolean' ? 'is boolean' : stored === 'float' ? 'is a floating-point number' : undefined
}

/** Whether a salt is no hash level of Kudu. */
export const hasForeignSalt = ({ schema }: Subject): boolean => !schema.salt.every(isKuduHash)

/** What options say of a table: its own entry, also if the table is called 'constructor'. */
export const ofTable = <T>(byTable: Readonly<Record<string, T>> | undefined, table: string): T | undefined =>
  byTable !== undefined && Object.hasOwn(byTable, table) ? byTable[table] : undefined

/** The order of two ends: whole numbers as numbers, also as text, everything else as text. */
export function compareBounds(a: number | string, b: number | string): number {
  const [x, y] = [a, b].map((bound) => (/^-?\d+$/.test(String(bound)) ? BigInt(bound) : undefined))
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}
