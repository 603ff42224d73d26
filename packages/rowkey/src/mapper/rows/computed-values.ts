// Tested by periods.test.ts.
import { RowkeyError, type Row, type Value } from '#codec'
import { show } from '#codec/internal'
import type { TableSchema } from '#model'
import { computedColumns, type ComputedColumn } from '#model/internal'

interface Computed extends ComputedColumn {
  readonly name: string
  readonly sourceName: string
}

type Shown = (row: Row, position: number) => unknown

/** Undefined if no column of the table is computed. @param shown a value of a row as an application sees it */
export function computedValues(schema: TableSchema, shown: Shown): ComputedValues | undefined {
  const columns = computedColumns(schema)
  return columns.length === 0 ? undefined : new ComputedValues(schema, columns, shown)
}

/** The columns of a table that are computed from others: a caller may leave them out, and what is given or stored has to be right. */
export class ComputedValues {
  private readonly table: string
  private readonly columns: readonly Computed[]
  private readonly shown: Shown

  constructor(schema: TableSchema, columns: readonly ComputedColumn[], shown: Shown) {
    this.table = schema.name
    this.shown = shown
    this.columns = columns.map((column) => {
      const [name = '', sourceName = ''] = [column.position, column.source].map((position) => schema.columns[position]?.name)
      return { ...column, name, sourceName }
    })
  }

  has(position: number): boolean {
    return this.columns.some((column) => column.position === position)
  }

  /** Fills in what is null. @throws RowkeyError `INVALID_VALUE` for a value that is not that of its source */
  fill(row: Value[]): void {
    for (const { position, source, name, sourceName, from } of this.columns) {
      const [given, right] = [row[position] ?? null, from(row[source] as Value)]
      row[position] = right
      if (given === null || given === right) continue // periods are numbers
      const message = `column '${name}' of '${this.table}' is computed from '${sourceName}', so it is ${this.text(row, position)}, not ${this.text(row.with(position, given), position)}. Leave it out.`
      throw new RowkeyError('INVALID_VALUE', message, { column: name, value: this.text(row.with(position, given), position) })
    }
  }

  /** @throws RowkeyError `CORRUPT_ROW` if a stored row has another value than that of its source */
  check(row: Row): void {
    for (const column of this.columns) {
      const { position, source } = column
      const right = column.from(row[source] as Value)
      if (row[position] === right) continue
      const { name, sourceName } = column
      const message =
        `a row of '${this.table}' has ${this.text(row, position)} in column '${name}', but its '${sourceName}' is ${this.text(row, source)}, which makes it ` +
        `${this.text(row.with(position, right), position)}. Something other than rowkey wrote it. Put the row again, and delete this one.`
      throw new RowkeyError('CORRUPT_ROW', message, { table: this.table, column: name })
    }
  }

  /** The same for every row of which an object is made. */
  checking(build: (row: Row) => object): (row: Row) => object {
    const [{ position, source, from }, ...others] = this.columns as [Computed, ...Computed[]]
    return (row) => {
      // Without a call for a right row: every row of a scan passes here.
      if (others.length > 0 || row[position] !== from(row[source] as Value)) this.check(row)
      return build(row)
    }
  }

  private text(row: Row, position: number): string {
    return show(this.shown(row, position))
  }
}
