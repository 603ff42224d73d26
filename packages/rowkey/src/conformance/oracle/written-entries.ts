// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { textOf } from '../text-of.js'
import type { OracleRow } from './case.js'
import type { Row } from './conditions.js'
import { entriesLayout, hasEntry } from './index-layout.js'
import type { OracleIndex, OracleLayout } from './layout.js'

/** The entries that an index has at most: one for each place at which some state of a row has been. */
export class WrittenEntries {
  private readonly layout: OracleLayout
  private readonly byIndex = new Map<string, Map<string, OracleRow>>()

  constructor(layout: OracleLayout) {
    this.layout = layout
    this.clear()
  }

  /** The entries of a row. They expire at the end of the day on which the row does, which is in their key. */
  add({ values, expires: given }: OracleRow): void {
    const expires = given === null ? null : Math.ceil(given / dayMs) * dayMs
    for (const index of this.layout.indexes) {
      const order = entriesLayout(this.layout, index)
      if (hasEntry(order, values)) this.of(index).set(`${expires} ${textOf(keyIn(order, values))}`, { values, expires })
    }
  }

  /** As rows, with at least the columns of the entries. */
  list(index: OracleIndex): readonly OracleRow[] {
    return [...this.of(index).values()]
  }

  keys(index: OracleIndex): readonly Row[] {
    const order = entriesLayout(this.layout, index)
    const day = (expires: number | null): Row =>
      this.layout.expires ? { expiry_day: expires === null ? 0x7fff_ffff : expires / dayMs } : {}
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
