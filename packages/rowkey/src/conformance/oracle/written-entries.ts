// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { textOf } from '../text-of.js'
import { now, type OracleRow } from './case.js'
import type { Row } from './conditions.js'
import { entriesLayout, hasDay, hasEntry, isExact } from './index-layout.js'
import type { OracleIndex, OracleLayout } from './layout.js'
import { compareKeys } from './query.js'

/** The entries that an index has at most: one for each place at which some state of a row has been. */
export class WrittenEntries {
  private readonly layout: OracleLayout
  private readonly byIndex = new Map<string, Map<string, OracleRow>>()

  constructor(layout: OracleLayout) {
    this.layout = layout
    this.clear()
  }

  /** The entries of a row. They expire at the end of the day on which the row does, which is in their key; exact ones with the row. */
  add({ values, expires: given }: OracleRow): void {
    const { layout } = this
    const expires = given === null || isExact(layout) ? given : Math.ceil(given / dayMs) * dayMs
    if (isExact(layout)) this.remove(values)
    for (const index of layout.indexes) {
      const order = entriesLayout(layout, index)
      const day = hasDay(layout) ? `${expires} ` : ''
      if (hasEntry(order, values)) this.of(index).set(`${day}${textOf(keyIn(order, values))}`, { values, expires })
    }
  }

  /** A row takes its entries with it if they are exact, unless it has expired: then nobody reads them. */
  remove(row: Row): void {
    if (!isExact(this.layout)) return
    for (const entries of this.byIndex.values()) {
      for (const [key, { values, expires }] of entries) {
        if (compareKeys(this.layout, values, row) === 0 && (expires === null || expires > now)) entries.delete(key)
      }
    }
  }

  /** As rows, with at least the columns of the entries. */
  list(index: OracleIndex): readonly OracleRow[] {
    return [...this.of(index).values()]
  }

  keys(index: OracleIndex): readonly Row[] {
    const order = entriesLayout(this.layout, index)
    const day = (expires: number | null): Row =>
      hasDay(this.layout) ? { expiry_day: expires === null ? 0x7fff_ffff : expires / dayMs } : {}
    return this.list(index).map(({ values, expires }) => ({ ...keyIn(order, values), ...day(expires) }))
  }

  clear(): void {
    for (const { name } of this.layout.indexes) this.byIndex.set(name, new Map())
  }

  private of({ name }: OracleIndex): Map<string, OracleRow> {
    return this.byIndex.get(name) ?? new Map<string, OracleRow>()
  }
}

const dayMs = 86_400_000

/** In keys −0 is 0. */
const keyIn = ({ key }: OracleLayout, values: Row): Row =>
  Object.fromEntries(key.map(({ name }) => [name, values[name] === 0 ? 0 : values[name]]))
