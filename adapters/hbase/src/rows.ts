// Tested by values.test.ts and conformance.test.ts.
import type { Cell, Column, PutCell, Result } from '@rowkey/hbase-client'
import { byColumns, latin1String, readStoredKey, unreadableRow, utf8Of, type Row, type TableSchema, type Value } from 'rowkey/adapter'
import type { ProfileLimits } from './capabilities.js'
import { PageSize } from './client/page-size.js'
import { selectionOf, wholeRow, type Selection } from './client/selection.js'
import { unmarked } from './errors.js'
import { family, mark, markName } from './keys.js'
import { valueTypeOf, type ValueType } from './values.js'

/** A column after the key. */
interface Field {
  readonly position: number
  readonly physical: string
  readonly qualifier: Uint8Array
  readonly type: ValueType
}

/** Reads the cells of one table into rows. Made by {@link RowFormat.reader}. */
export interface RowReader {
  /** The cells to request. */
  readonly selection: Selection
  /** The same, and some more columns. */
  with(qualifiers: readonly Uint8Array[]): Selection
  readonly pageSize: PageSize
  /** Of pages of which the server leaves out cells. */
  readonly filteredPageSize: PageSize
  /** The row of a key that is known. @throws RowkeyError `UNREADABLE_ROW`, `CORRUPT_ROW` */
  rowOf(key: Row, result: Result): Row
  /** The row with the key of the result. @throws RowkeyError `UNREADABLE_ROW`, `CORRUPT_ROW` */
  rowAt(result: Result): Row
}

/** The cells of one table as one schema sees them. */
export class RowFormat {
  readonly schema: TableSchema
  /** The reader of some positions of a row, by default of all; key positions are ignored. */
  readonly reader: (positions?: readonly number[]) => RowReader
  private readonly fields: readonly Field[]

  constructor(schema: TableSchema, { read, newVersionBehavior }: Pick<ProfileLimits, 'read' | 'newVersionBehavior'>) {
    this.schema = schema
    this.fields = schema.columns
      .map((column, position) => ({
        ...{ position, physical: column.physical, qualifier: utf8Of(column.physical) },
        type: valueTypeOf(column),
      }))
      .slice(schema.keyLength)
    const all = this.fields.map(({ qualifier }) => qualifier)
    const selects = (qualifiers: readonly Uint8Array[]): Selection => selectionOf([mark, ...qualifiers], all, !newVersionBehavior)
    this.reader = byColumns((positions) => new CellReader(schema, this.fields, positions, read, selects))
  }

  /** The cells of a whole row, without its mark, and the columns that it leaves empty. */
  encode(row: Row): RowCells {
    return cellsOf(this.fields, row)
  }

  /** The same of some positions. */
  changes(row: Row, positions: readonly number[]): RowCells {
    return cellsOf(
      positions.map((position) => this.field(position)),
      row,
    )
  }

  /** A column after the key. */
  field(position: number): Field {
    return this.fields[position - this.schema.keyLength] as Field
  }
}

/** What a row has in some columns. */
interface RowCells {
  /** Its own array. */
  readonly cells: PutCell[]
  /** Columns without a value. */
  readonly nulls: readonly Column[]
}

function cellsOf(fields: readonly Field[], row: Row): RowCells {
  const cells: PutCell[] = []
  let nulls: Column[] | undefined
  for (const { position, qualifier, type } of fields) {
    const value = row[position] ?? null
    if (value !== null) cells.push({ family, qualifier, value: type.write(value) })
    else (nulls ??= []).push({ family, qualifier })
  }
  return { cells, nulls: nulls ?? none }
}

const none: readonly Column[] = []

/** The mark of a row; undefined if it has none. An empty one is none for the server: its checks take an empty cell for an absent one. */
export const markIn = ({ cells }: Result): Cell | undefined => cells.find(isMark)

const isMark = ({ qualifier, value }: Cell): boolean => value.length > 0 && Buffer.compare(qualifier, mark) === 0

/** Stands for the column of the mark, and for one that this schema does not have. */
const markPlace = -1
const unknownPlace = -2

class CellReader implements RowReader {
  readonly selection: Selection
  readonly pageSize: PageSize
  readonly filteredPageSize: PageSize
  private readonly qualifiers: readonly Uint8Array[]
  private readonly isWhole: boolean
  private readonly selects: (qualifiers: readonly Uint8Array[]) => Selection
  private readonly schema: TableSchema
  private readonly types: readonly (ValueType | undefined)[]
  private readonly places = new Map<string, number>()
  /** The qualifiers of the last row by their place in it, and what they stand for. The client returns the same arrays for the next row. */
  private readonly seen: Uint8Array[] = []
  private readonly seenPlaces: number[] = []

  constructor(
    schema: TableSchema,
    fields: readonly Field[],
    positions: readonly number[] | undefined,
    read: ProfileLimits['read'],
    selects: (qualifiers: readonly Uint8Array[]) => Selection,
  ) {
    this.schema = schema
    this.selects = selects
    this.pageSize = new PageSize(read)
    this.filteredPageSize = new PageSize(read)
    const wanted = positions === undefined ? fields : fields.filter(({ position }) => positions.includes(position))
    const types = new Array<ValueType | undefined>(schema.columns.length).fill(undefined)
    for (const { position, qualifier, type } of wanted) {
      types[position] = type
      this.places.set(latin1String(qualifier), position)
    }
    this.places.set(markName, markPlace)
    this.types = types
    this.qualifiers = wanted.map(({ qualifier }) => qualifier)
    this.isWhole = positions === undefined
    this.selection = this.with([])
  }

  with(qualifiers: readonly Uint8Array[]): Selection {
    return this.isWhole ? wholeRow : this.selects([...this.qualifiers, ...qualifiers])
  }

  rowOf(key: Row, result: Result): Row {
    const row = this.emptyRow()
    for (let i = 0; i < this.schema.keyLength; i++) row[i] = key[i] as Value
    return this.fill(row, result)
  }

  rowAt(result: Result): Row {
    const row = this.emptyRow()
    readStoredKey(this.schema, result.row as Uint8Array, row)
    return this.fill(row, result)
  }

  private emptyRow(): Value[] {
    return new Array<Value>(this.schema.columns.length).fill(null)
  }

  private fill(row: Value[], { cells }: Result): Row {
    let isMarked = false
    for (let i = 0; i < cells.length; i++) {
      const { qualifier, value } = cells[i] as Cell
      const place = qualifier === this.seen[i] ? (this.seenPlaces[i] as number) : this.placeOf(i, qualifier)
      if (place === markPlace) isMarked = value.length > 0
      if (place < 0) continue
      const read = (this.types[place] as ValueType).read(value)
      if (read === undefined) this.refuse(place)
      row[place] = read
    }
    if (!isMarked) throw unmarked(this.schema.name)
    return row
  }

  private placeOf(i: number, qualifier: Uint8Array): number {
    const place = this.places.get(latin1String(qualifier)) ?? unknownPlace
    this.seen[i] = qualifier
    this.seenPlaces[i] = place
    return place
  }

  private refuse(place: number): never {
    const physical = this.schema.columns[place]?.physical ?? ''
    throw unreadableRow(this.schema.name, physical, 'contains bytes that are no value of its type')
  }
}
