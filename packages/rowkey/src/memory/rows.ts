// Tested by catalogs.test.ts and write.test.ts.
import {
  columnNotFound,
  typeFacts,
  unreadableRow,
  widerColumns,
  type Row,
  type TableCatalog,
  type TableSchema,
  type TypeFacts,
  type Value,
} from '#store/adapter'
import type { StoredTable } from './catalogs.js'

/**
 * How the rows of one schema lie in the stored records of its table: key columns, then `catalog.valueColumns`, which only grows.
 * Usually both orders are the same. Then the stored record is the row itself, without a copy.
 */
export class RecordRows {
  /** The position in the record, by position in the schema. */
  readonly places: readonly number[]
  private readonly stored: StoredTable
  private readonly keyLength: number
  private readonly expiryPlace: number
  private readonly isSame: boolean
  private readonly schema: TableSchema
  /** The catalog that was looked at last, and the columns that are wider in it than in the schema. */
  private catalog: TableCatalog | undefined
  private narrow: readonly NarrowColumn[] = []

  /** @throws RowkeyError `SCHEMA_MISMATCH` if the table lacks a column */
  constructor(schema: TableSchema, stored: StoredTable) {
    const { name, columns, keyLength, expiryIndex } = schema
    this.schema = schema
    const { valueColumns } = stored.catalog
    this.stored = stored
    this.keyLength = keyLength
    this.places = columns.map(({ physical }, position) => {
      if (position < keyLength) return position
      const at = valueColumns.indexOf(physical)
      if (at < 0) throw columnNotFound(name, physical)
      return keyLength + at
    })
    this.expiryPlace = this.places[expiryIndex] ?? nowhere
    this.isSame = columns.length === keyLength + valueColumns.length && this.places.every((place, position) => place === position)
  }

  /** The record to store for a whole row. Columns that the schema does not know are null in it. */
  toRecord(row: Row): Row {
    if (this.isSame) return row
    const record = new Array<Value>(this.keyLength + this.stored.catalog.valueColumns.length).fill(null)
    for (let position = 0; position < row.length; position++) record[this.places[position] as number] = row[position] as Value
    return record
  }

  /** A record with some positions of the schema replaced. Columns that the schema does not know are kept. */
  patched(record: Row, row: Row, set: readonly number[]): Row {
    const copy = record.slice()
    for (const position of set) {
      const place = this.places[position] as number
      while (copy.length < place) copy.push(null) // the record is older than the column
      copy[place] = row[position] as Value
    }
    return copy
  }

  /** The row of a record. `wanted`: the positions to fill, see {@link selection}. */
  toRow(record: Row, wanted?: readonly number[]): Row {
    if (wanted === undefined && this.isSame && record.length === this.places.length) return record
    return arranged(record, wanted ?? this.places)
  }

  /** The row of a record that a read returns. @throws RowkeyError `UNREADABLE_ROW` */
  read(record: Row, wanted: readonly number[] | undefined): Row {
    const row = this.toRow(record, wanted)
    return this.narrowColumns().length === 0 ? row : this.held(row)
  }

  /**
   * Turns many records into rows, in place. While all records of the table have the columns and types of the schema, it looks at none of them.
   *
   * @throws RowkeyError `UNREADABLE_ROW`
   */
  toRows(records: Row[], wanted: readonly number[] | undefined): readonly Row[] {
    if (wanted === undefined && this.isSame && !this.stored.hasGrown && this.narrowColumns().length === 0) return records
    for (let i = 0; i < records.length; i++) records[i] = this.read(records[i] as Row, wanted)
    return records
  }

  /** The row, if the schema can hold what newer models may have put into wider columns. */
  private held(row: Row): Row {
    for (const { position, physical, accepts } of this.narrow) {
      const value = row[position] as Value
      if (value !== null && !accepts(value))
        throw unreadableRow(this.schema.name, physical, 'contains a value that its type does not allow')
    }
    return row
  }

  private narrowColumns(): readonly NarrowColumn[] {
    if (this.stored.catalog !== this.catalog) this.lookAt(this.stored.catalog)
    return this.narrow
  }

  private lookAt(catalog: TableCatalog): void {
    this.catalog = catalog
    this.narrow = widerColumns(this.schema, catalog).map(([column]) => ({
      position: this.schema.columns.indexOf(column),
      physical: column.physical,
      accepts: typeFacts(column.type).accepts,
    }))
  }

  /** Whether the row of a record has expired; also true at the very millisecond of its expiry. Always false in a table without expiry. */
  isExpired(record: Row, now: number): boolean {
    if (this.expiryPlace < 0 || this.expiryPlace >= record.length) return false
    const at = record[this.expiryPlace]
    return typeof at === 'number' && at <= now
  }
}

/** A column of the schema that is wider in the table. */
interface NarrowColumn {
  readonly position: number
  readonly physical: string
  readonly accepts: TypeFacts['accepts']
}

/** A position that no record has. */
const nowhere = -1

/** The positions to read if only some columns are requested; undefined = all. */
export function selection(schema: TableSchema, places: readonly number[], columns: readonly number[]): readonly number[] | undefined {
  const wanted = places.map((place, position) => (position < schema.keyLength || columns.includes(position) ? place : nowhere))
  return wanted.includes(nowhere) ? wanted : undefined
}

function arranged(record: Row, places: readonly number[]): Row {
  const row: Value[] = []
  for (const place of places) row.push(place >= 0 && place < record.length ? (record[place] as Value) : null)
  return row
}
