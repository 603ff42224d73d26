import { KuduError } from '../error.js'
import { MalformedAnswer } from '../malformed-answer.js'
import type { Column, Value } from '../requests.js'
import { ColumnCells } from './columnar.js'
import { layoutOf } from './layout.js'

/** The message `ColumnarRowBlockPB`: for each column the numbers of the byte strings that came with the answer. */
export interface ColumnarRows {
  readonly columns: readonly {
    readonly dataSidecar?: number | undefined
    readonly varlenDataSidecar?: number | undefined
    readonly nonNullBitmapSidecar?: number | undefined
  }[]
  readonly numRows?: bigint | undefined
}

/** A row that was read, by the names of the scan's columns. */
export type ReadRow = Record<string, Value | null>

/**
 * Rows that came together. Values are made when they are asked for; bytes share the memory of the batch.
 *
 * @example
 * ```ts
 * for await (const batch of client.scan(table, { columns: ['host', 'load'] })) {
 *   for (let row = 0; row < batch.length; row++) total += batch.value(row, 1) as number
 * }
 * ```
 */
export class RowBatch implements Iterable<ReadRow> {
  /** How many rows there are, also if the scan has no columns. */
  readonly length: number
  /** Bytes in which they came. */
  readonly byteLength: number
  /** The names of the columns, in the order of the scan. */
  readonly columns: readonly string[]
  /** The encoded key of the last row, if the scan is ordered and there is a row: `after` of another scan. */
  readonly lastKey: Uint8Array | undefined
  readonly #cells: readonly ColumnCells[]

  /** @throws MalformedAnswer if the byte strings are not those of so many rows */
  constructor(columns: readonly Column[], rows: ColumnarRows | undefined, sidecars: readonly Uint8Array[], lastKey?: Uint8Array) {
    this.length = countOf(rows?.numRows)
    this.columns = columns.map(({ name }) => name)
    this.lastKey = lastKey
    this.byteLength = sidecars.reduce((sum, { length }) => sum + length, 0)
    if (this.length === 0) this.#cells = []
    else {
      const given = rows?.columns ?? []
      if (given.length !== columns.length)
        throw new MalformedAnswer(`it has ${given.length} columns where ${columns.length} were asked for`)
      const sidecar = (index: number | undefined): Uint8Array | undefined => {
        if (index === undefined || sidecars[index] !== undefined) return index === undefined ? undefined : sidecars[index]
        throw new MalformedAnswer(`a column has the byte string ${index}, of which there are ${sidecars.length}`)
      }
      this.#cells = layoutOf(columns).columns.map((column, position) => {
        const { dataSidecar, varlenDataSidecar, nonNullBitmapSidecar } = given[position] as ColumnarRows['columns'][number]
        const [data, varying, present] = [sidecar(dataSidecar), sidecar(varlenDataSidecar), sidecar(nonNullBitmapSidecar)]
        return new ColumnCells(column, this.length, data, varying, present)
      })
    }
  }

  /** The value in a row and in a column of the scan, by their positions. */
  value(row: number, column: number): Value | null {
    const cells = this.#cells[column]
    if (cells === undefined || !this.#has(row)) throw this.#outside(row, column)
    return cells.value(row)
  }

  /** The values of a column of the scan, by its position: the cheapest way to read many. */
  column(column: number): (Value | null)[] {
    const cells = this.#cells[column]
    if (cells === undefined) throw this.#outside(0, column)
    const values: (Value | null)[] = []
    for (let row = 0; row < this.length; row++) values.push(cells.value(row))
    return values
  }

  /** The bytes of a text or of bytes, or null. For texts that other programs have written, which need not be UTF-8. */
  bytes(row: number, column: number): Uint8Array | null {
    const cells = this.#cells[column]
    if (cells === undefined || !this.#has(row)) throw this.#outside(row, column)
    return cells.bytes(row)
  }

  /** A row by the names of its columns. */
  row(index: number): ReadRow {
    if (!this.#has(index)) throw this.#outside(index, 0)
    const row: ReadRow = {}
    for (const cells of this.#cells) set(row, cells.column.name, cells.value(index))
    return row
  }

  /** All rows. */
  rows(): ReadRow[] {
    if (this.columns.length === 0 && this.length > 0)
      throw new KuduError('INVALID_ARGUMENT', 'The rows of a scan without columns are only counted: see length.', { isSent: false })
    const rows: ReadRow[] = []
    for (let index = 0; index < this.length; index++) rows.push(this.row(index))
    return rows
  }

  *[Symbol.iterator](): IterableIterator<ReadRow> {
    for (let index = 0; index < this.length; index++) yield this.row(index)
  }

  #has(row: number): boolean {
    return row >= 0 && row < this.length && Number.isInteger(row)
  }

  #outside(row: number, column: number): KuduError {
    const problem = `There is no value in row ${row}, column ${column}: the batch has ${this.length} rows of ${this.columns.length} columns.`
    return new KuduError('INVALID_ARGUMENT', problem, { isSent: false })
  }
}

/** The name '__proto__' is no property unless it is defined. */
function set(row: ReadRow, name: string, value: Value | null): void {
  if (name === '__proto__') Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
  else row[name] = value
}

function countOf(rows: bigint | undefined): number {
  const count = Number(rows ?? 0n)
  if (count < 0 || count > Number.MAX_SAFE_INTEGER) throw new MalformedAnswer(`it has ${count} rows`)
  return count
}
