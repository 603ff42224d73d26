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
  private readonly same: boolean

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column */
  constructor(schema: TableSchema, table: Table) {
    this.table = table
    this.places = schema.columns.map(({ physical }, position) => {
      if (position < schema.keyLength) return position
      const at = table.catalog.values.indexOf(physical)
      if (at < 0) throw columnMissing(schema.name, physical)
      return schema.keyLength + at
    })
    this.same = this.places.every((place, position) => place === position)
  }

  /** The record to store for a whole row. */
  toRecord(row: Row): Row {
    if (this.same) return row
    const record: Value[] = new Array<Value>(this.places.length).fill(null)
    this.places.forEach((place, position) => {
      while (record.length < place) record.push(null) // columns this schema does not know
      record[place] = row[position] as Value
    })
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

  /** Records to rows of the schema, in place. `wanted`: the places to fill, from {@link selection}. */
  toRows(records: Row[], wanted: readonly number[] | undefined): Row[] {
    if (wanted !== undefined || !this.same) return project(records, wanted ?? this.places, false)
    return this.table.grown ? project(records, this.places, true) : records
  }

  /** One record. */
  toRow(record: Row, wanted?: readonly number[]): Row {
    return this.toRows([record], wanted)[0] as Row
  }
}

/** A place no record has. */
const nowhere = -1

/** The places to read when only some columns are asked for; undefined if it is all of them. */
export function selection(schema: TableSchema, places: readonly number[], columns: readonly number[] | undefined): readonly number[] | undefined {
  if (columns === undefined) return undefined
  const wanted = places.map((place, position) => (position < schema.keyLength || columns.includes(position) ? place : nowhere))
  return wanted.includes(nowhere) ? wanted : undefined
}

function project(records: Row[], places: readonly number[], keepFitting: boolean): Row[] {
  for (let i = 0; i < records.length; i++) {
    const record = records[i] as Row
    if (keepFitting && record.length === places.length) continue
    const row: Value[] = []
    for (let position = 0; position < places.length; position++) {
      const place = places[position] as number
      row.push(place >= 0 && place < record.length ? (record[place] as Value) : null)
    }
    records[i] = row
  }
  return records
}

function columnMissing(table: string, column: string): RowkeyError<'SCHEMA_MISMATCH'> {
  return new RowkeyError('SCHEMA_MISMATCH', `table '${table}' has no column '${column}'. Add it with ensureTables([…]).`, { table, column })
}
