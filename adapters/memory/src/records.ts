import { RowkeyError, type Row, type TableSchema, type Value } from '@rowkey/store'
import type { Table } from './table.js'

/**
 * How the rows of one schema lie in the stored records of its table: key columns, then `catalog.values`, which only grows. Mostly
 * both orders are the same, and the stored record is the row, uncopied.
 */
export class Records {
  /** By position of the schema: the position in the record. */
  readonly places: readonly number[]
  private readonly table: Table
  private readonly keyLength: number
  private readonly same: boolean

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column */
  constructor({ name, columns, keyLength }: TableSchema, table: Table) {
    const { values } = table.catalog
    this.table = table
    this.keyLength = keyLength
    this.places = columns.map(({ physical }, position) => {
      if (position < keyLength) return position
      const at = values.indexOf(physical)
      if (at < 0) throw columnMissing(name, physical)
      return keyLength + at
    })
    this.same = columns.length === keyLength + values.length && this.places.every((place, position) => place === position)
  }

  /** The record to store for a whole row; columns the schema does not know are null in it. */
  toRecord(row: Row): Row {
    if (this.same) return row
    const record = new Array<Value>(this.keyLength + this.table.catalog.values.length).fill(null)
    for (let position = 0; position < row.length; position++) record[this.places[position] as number] = row[position] as Value
    return record
  }

  /** A record with some positions of the schema replaced; columns the schema does not know stay. */
  patched(record: Row, row: Row, set: readonly number[]): Row {
    const copy = record.slice()
    for (const position of set) {
      const place = this.places[position] as number
      while (copy.length < place) copy.push(null) // the record is older than the column
      copy[place] = row[position] as Value
    }
    return copy
  }

  /** The row of a record; `wanted` are the places to fill, see {@link selection}. */
  toRow(record: Row, wanted?: readonly number[]): Row {
    if (wanted === undefined && this.same && record.length === this.places.length) return record
    return arranged(record, wanted ?? this.places)
  }

  /** The rows of many records, in place; while all are alike without a look at any. */
  toRows(records: Row[], wanted: readonly number[] | undefined): readonly Row[] {
    if (wanted === undefined && this.same && !this.table.grown) return records
    for (let i = 0; i < records.length; i++) records[i] = this.toRow(records[i] as Row, wanted)
    return records
  }
}

/** A place no record has. */
const nowhere = -1

/** The places to read when only some columns are asked for; undefined if it is all of them. */
export function selection(schema: TableSchema, places: readonly number[], columns: readonly number[]): readonly number[] | undefined {
  const wanted = places.map((place, position) => (position < schema.keyLength || columns.includes(position) ? place : nowhere))
  return wanted.includes(nowhere) ? wanted : undefined
}

function arranged(record: Row, places: readonly number[]): Row {
  const row: Value[] = []
  for (const place of places) row.push(place >= 0 && place < record.length ? (record[place] as Value) : null)
  return row
}

function columnMissing(table: string, column: string): RowkeyError<'SCHEMA_MISMATCH'> {
  const differences = [`column '${column}' is not in the table`]
  return new RowkeyError('SCHEMA_MISMATCH', `table '${table}' has no column '${column}'. Add it with ensureTables([…]).`, {
    table,
    differences,
  })
}
