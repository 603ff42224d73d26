// Tested by conformance.test.ts.
import type { Row as KuduRow, RowBatch, Value as KuduValue } from '@rowkey/kudu-client'
import { unreadableRow, type Row, type RowkeyError, type SchemaColumn, type TableSchema, type Value } from 'rowkey/adapter'
import type { KeyColumn } from './keys.js'
import type { ValueType } from './values.js'

/** Reads rows of the server, for one set of columns. */
export class RowReader {
  /** The columns to ask for, by their names in the store. */
  readonly columns: readonly string[]
  private readonly schema: TableSchema
  /** By place in an answer. */
  private readonly positions: readonly number[]
  private readonly cells: readonly Pick<ValueType, 'read'>[]

  constructor(schema: TableSchema, keys: readonly KeyColumn[], types: readonly ValueType[], wanted: readonly number[] | undefined) {
    this.schema = schema
    const all = schema.columns.map((_, position) => position)
    this.positions = wanted === undefined ? all : all.filter((position) => position < schema.keyLength || wanted.includes(position))
    this.columns = this.positions.map((position) => (schema.columns[position] as SchemaColumn).physical)
    this.cells = this.positions.map((position) => keys[position] ?? (types[position] as ValueType))
  }

  /** Adds the rows of an answer to a scan: column by column, as they came. @throws RowkeyError `UNREADABLE_ROW` */
  addTo(rows: Row[], batch: RowBatch): void {
    if (batch.length === 0) return
    const { schema } = this
    const width = schema.columns.length
    const first = rows.length
    while (rows.length < first + batch.length) rows.push(new Array<Value>(width).fill(null))
    for (const [i, position] of this.positions.entries()) {
      const cell = this.cells[i] as ValueType
      const column = batch.column(i)
      for (let at = 0; at < column.length; at++) {
        const given = column[at] as KuduValue | null
        if (given === null && position >= schema.keyLength) continue
        const value = given === null ? undefined : cell.read(given)
        if (value === undefined) throw this.unreadable(position)
        ;(rows[first + at] as Value[])[position] = value
      }
    }
  }

  /** A row by the names of its columns. @throws RowkeyError `UNREADABLE_ROW` */
  rowOf(found: KuduRow | undefined): Row | undefined {
    if (found === undefined) return undefined
    const row = new Array<Value>(this.schema.columns.length).fill(null)
    for (const [i, position] of this.positions.entries()) {
      const given = found[this.columns[i] as string] ?? null
      if (given === null && position >= this.schema.keyLength) continue
      const value = given === null ? undefined : (this.cells[i] as ValueType).read(given)
      if (value === undefined) throw this.unreadable(position)
      row[position] = value
    }
    return row
  }

  private unreadable(position: number): RowkeyError {
    const { name, columns } = this.schema
    return unreadableRow(name, (columns[position] as SchemaColumn).physical, 'contains a value that its type does not allow')
  }
}
