import { answerFault, Progress, showName } from 'rowkey/adapter'
import type { types } from 'cassandra-driver'

// What the server answered, checked before anything of it is used: a column that is missing would look like null, and rows that are missing
// like an empty table.

/** A row of the driver, by the names of the columns in the statement. */
export type NativeRow = Readonly<Record<string, unknown>>

/** The answer to a SELECT or to a lightweight transaction. @throws RowkeyError `ADAPTER_FAULT` */
export function withRows(table: string, answer: types.ResultSet): types.ResultSet {
  const rows: unknown = answer.rows
  if (!Array.isArray(rows)) throw faulty(table, 'no rows')
  if (!rows.every((row) => typeof row === 'object' && row !== null)) throw faulty(table, 'a row that is none')
  return answer
}

/** A column of a row; null if it has no value. @throws RowkeyError `ADAPTER_FAULT` if the row does not have it */
export function cellOf(table: string, row: NativeRow, column: string): unknown {
  const cell = row[column]
  if (cell === undefined) throw columnMissing(table, column)
  return cell
}

/** The error of a row without a column that was asked for. */
export const columnMissing = (table: string, column: string): Error => faulty(table, `a row without column '${showName(column)}'`)

/** A column that contains text. @throws RowkeyError `ADAPTER_FAULT` */
export function textOf(table: string, row: NativeRow, column: string): string {
  const cell = cellOf(table, row, column)
  if (typeof cell !== 'string') throw faulty(table, `no text in column '${column}'`)
  return cell
}

/** Whether a lightweight transaction was applied; undefined if the answer does not say so. */
export function isApplied({ rows }: types.ResultSet): boolean | undefined {
  const applied: unknown = (rows as readonly NativeRow[] | undefined)?.[0]?.['[applied]']
  return typeof applied === 'boolean' ? applied : undefined
}

/** The same where the answer must say so. @throws RowkeyError `ADAPTER_FAULT` */
export function mustBeApplied(table: string, answer: types.ResultSet): boolean {
  const applied = isApplied(answer)
  if (applied === undefined) throw noVerdict(table)
  return applied
}

/** The error of a transaction whose answer does not say what became of it. */
export const noVerdict = (table: string): Error => faulty(table, 'no word on whether a transaction was applied')

/** The places of a statement that is read page by page. */
export class PageStates {
  private readonly table: string
  private readonly progress = new Progress()

  constructor(table: string) {
    this.table = table
  }

  /** Where to continue; undefined at the end. @throws RowkeyError `ADAPTER_FAULT` if the server goes round in a circle */
  after({ pageState }: types.ResultSet): string | undefined {
    const place: unknown = pageState
    if (place === null || place === undefined) return undefined
    if (typeof place !== 'string' || place === '') throw faulty(this.table, 'a paging state that is none')
    if (this.progress.returnsTo(place)) throw faulty(this.table, 'a paging state that it had answered with before')
    return place
  }
}

/** Errors that decoding an answer ends with. */
const undecoded = new Set(['TypeError', 'RangeError', 'SyntaxError', 'DriverInternalError'])

/** The error of a read that the driver threw because it could not decode the answer; every other error as it is. */
export function decoded(table: string, error: unknown): unknown {
  const { name } = (error ?? {}) as { readonly name?: unknown }
  return undecoded.has(name as string) ? answerFault('cassandra', table, 'bytes that cannot be decoded', { cause: error }) : error
}

/** The error for an answer that the server does not give to any statement of this adapter. */
export const faulty = (table: string, what: string): Error => answerFault('cassandra', table, what)
