// Tested by answers.test.ts and conformance.test.ts.
import { isRowkeyError, unreadableRow, type Row, type SchemaColumn, type TableSchema, type Value } from 'rowkey/adapter'
import { expiryCell, expiryOf, type ExpiryCell, type ExpiryMode } from './expiry.js'
import type { KeyColumn } from './keys.js'
import { columnMissing, type NativeRow } from './client/answers.js'
import { quoted } from './client/cql.js'
import { valueTypeOf } from './values.js'

type Read = (given: unknown) => Value | undefined

/** A value; undefined for one of another type, which some readers cannot convert. */
function attempted<T>(read: (cell: unknown) => T | undefined, cell: unknown): T | undefined {
  try {
    return read(cell)
  } catch (error) {
    if (isRowkeyError(error)) throw error
    return undefined
  }
}

interface Cell {
  readonly position: number
  readonly name: string
  readonly read: Read
}

/** Converts rows of the driver, for one set of columns. */
export class RowReader {
  /** The columns of a SELECT, renamed to c0, c1, …, because a column may have a name that is special in JavaScript. */
  readonly columns: string
  private readonly cells: readonly Cell[]
  private readonly schema: TableSchema
  private readonly keys: readonly KeyColumn[]
  private readonly isExpiryKnown: boolean

  constructor(schema: TableSchema, keys: readonly KeyColumn[], mode: ExpiryMode, wanted: readonly number[] | undefined) {
    this.schema = schema
    this.keys = keys
    this.isExpiryKnown = mode === 'native'
    const isRead = ({ role }: SchemaColumn, position: number): boolean =>
      role === 'partition' || role === 'key' || wanted === undefined || wanted.includes(position)
    this.cells = schema.columns.flatMap((column, position) =>
      isRead(column, position) ? [{ position, name: `c${position}`, read: this.readerOf(column, position) }] : [],
    )
    const named = this.cells.map(({ position, name }) => `${quoted(physicalAt(schema, position))} AS ${name}`)
    const isExpiryRead = !this.isExpiryKnown || this.cells.some(({ position }) => position === schema.expiryIndex)
    if (!isExpiryRead) named.push(`${quoted(physicalAt(schema, schema.expiryIndex))} AS c${schema.expiryIndex}`)
    this.columns = named.join(', ')
  }

  /** undefined for the remains of a row that expired. @throws RowkeyError `UNREADABLE_ROW`, `ADAPTER_FAULT` */
  read(given: NativeRow): Row | undefined {
    if (this.isExpiryKnown && this.expiry(given) === null) return undefined
    const row: Value[] = new Array<Value>(this.schema.columns.length).fill(null)
    for (const { position, name, read } of this.cells) {
      const cell = given[name]
      if (cell === null && position >= this.keys.length) continue
      row[position] = this.value(given, position, name, read)
    }
    return row
  }

  /** The expiry cell. @throws RowkeyError `UNREADABLE_ROW`, `ADAPTER_FAULT` */
  expiry(given: NativeRow): ExpiryCell {
    const { expiryIndex } = this.schema
    const cell = given[`c${expiryIndex}`]
    return cell === null || expiryIndex < 0 ? null : this.value(given, expiryIndex, `c${expiryIndex}`, expiryCell)
  }

  private value<T>(given: NativeRow, position: number, name: string, read: (cell: unknown) => T | undefined): T {
    const cell = given[name]
    if (cell === undefined) throw columnMissing(this.schema.name, physicalAt(this.schema, position))
    const value = cell === null ? undefined : attempted(read, cell)
    if (value === undefined)
      throw unreadableRow(this.schema.name, physicalAt(this.schema, position), 'contains a value that its type does not allow')
    return value
  }

  /** The key of a row, also of remains. @throws RowkeyError `UNREADABLE_ROW`, `ADAPTER_FAULT` */
  key(given: NativeRow): Row {
    return this.keys.map(({ read }, position) => this.value(given, position, `c${position}`, read))
  }

  private readerOf({ role, type }: SchemaColumn, position: number): Read {
    const key = this.keys[position]
    if (key !== undefined) return (given) => key.read(given)
    if (role === 'expiry') return (given) => expiryOf(expiryCell(given))
    return valueTypeOf({ type }).read
  }
}

const physicalAt = ({ columns }: TableSchema, position: number): string => (columns[position] as SchemaColumn).physical
