import type { Row, SchemaColumn, TableSchema, Value } from '@rowkey/store/adapter'
import { corruptRow } from './errors.js'
import { expiryCell, expiryOf, type ExpiryMode } from './expiry.js'
import type { KeyColumn } from './keys.js'
import { quoted } from './client/cql.js'
import { valueTypeOf } from './values.js'

/** A row of the driver, by the names of the columns in the statement. */
export type NativeRow = Readonly<Record<string, unknown>>

type Read = (given: unknown) => Value | undefined

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

  /** undefined for the remains of a row that expired. @throws RowkeyError `CORRUPT_ROW` */
  read(given: NativeRow): Row | undefined {
    if (this.isExpiryKnown && expiryCell(given[`c${this.schema.expiryIndex}`]) === null) return undefined
    const row: Value[] = new Array<Value>(this.schema.columns.length).fill(null)
    for (const { position, name, read } of this.cells) {
      const cell = given[name]
      const isNull = cell === null || cell === undefined
      if (isNull && position >= this.keys.length) continue
      const value = isNull ? undefined : read(cell)
      if (value === undefined) throw corruptRow(this.schema.name, physicalAt(this.schema, position))
      row[position] = value
    }
    return row
  }

  /** The key of a row, also of remains. */
  key(given: NativeRow): Row {
    return this.keys.map(({ name, read }, position) => {
      const cell = given[`c${position}`]
      const value = cell === null || cell === undefined ? undefined : read(cell)
      if (value === undefined) throw corruptRow(this.schema.name, name)
      return value
    })
  }

  private readerOf({ role, type }: SchemaColumn, position: number): Read {
    const key = this.keys[position]
    if (key !== undefined) return (given) => key.read(given)
    if (role === 'expiry') return (given) => expiryOf(expiryCell(given))
    return valueTypeOf({ type }).read
  }
}

const physicalAt = ({ columns }: TableSchema, position: number): string => (columns[position] as SchemaColumn).physical
