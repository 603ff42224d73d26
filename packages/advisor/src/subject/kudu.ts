import type { KuduRanges } from './store-profile.js'
import type { Subject } from './subject.js'

/** Whether the table will be in Kudu. Its hash levels are the salt of the model, its ranges those of `kudu`. */
export const isKudu = ({ store }: Subject): boolean => store?.name === 'kudu'

/** Its ranges. */
export const rangesOf = ({ store, schema }: Subject): KuduRanges | undefined => ofTable(store?.kudu?.ranges, schema.name)

/** What options say of a table: its own entry, also if the table is called 'constructor'. */
export const ofTable = <T>(byTable: Readonly<Record<string, T>> | undefined, table: string): T | undefined =>
  byTable !== undefined && Object.hasOwn(byTable, table) ? byTable[table] : undefined

/** The order of two ends: whole numbers as numbers, also as text, everything else as text. */
export function compareBounds(a: number | string, b: number | string): number {
  const [x, y] = [a, b].map((bound) => (/^-?\d+$/.test(String(bound)) ? BigInt(bound) : undefined))
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}
