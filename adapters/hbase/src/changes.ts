// Also tested by conformance.test.ts.
import type { Check, Column, CompareOperator, Delete, Put, PutCell, RowMutation } from '@rowkey/hbase-client'
import { isPromise, keyOf, utf8Of, type MaybePromise, type Mutation, type Row } from 'rowkey/adapter'
import { newMark } from './client/marks.js'
import type { TableContext } from './context.js'
import { keyTooLong } from './errors.js'
import { family, mark, maxRowkeyBytes } from './keys.js'

/** The rowkey of a row that is to be written. @throws RowkeyError `LIMIT_EXCEEDED` */
export function rowToWrite(mutation: Mutation): Uint8Array {
  const { bytes } = keyOf(mutation)
  if (bytes.length <= maxRowkeyBytes) return bytes
  throw keyTooLong(mutation.schema.name, bytes.length)
}

/** What replaces a row whatever it holds: its cells, and the columns to clear. */
export interface Replacement {
  readonly put: Put
  /** The mark that the row has after it. */
  readonly mark: Uint8Array
  /** undefined if there is nothing to clear. */
  readonly clear: Delete | undefined
}

/** A whole row. Columns that it leaves empty, and those of newer models, are cleared. */
export function replacementOf(table: TableContext, row: Row, rowkey: Uint8Array): MaybePromise<Replacement> {
  const others = table.otherColumns()
  return isPromise(others) ? others.then((read) => wholeRow(table, row, rowkey, read)) : wholeRow(table, row, rowkey, others)
}

/** The same with the columns of newer models. */
export function wholeRow(table: TableContext, row: Row, rowkey: Uint8Array, others: readonly Column[]): Replacement {
  const { cells, nulls } = table.format.encode(row)
  return changeOf(table, rowkey, cells, others.length === 0 ? nulls : [...nulls, ...others])
}

/** Some columns of a row. */
export function patchOf(table: TableContext, row: Row, set: readonly number[], rowkey: Uint8Array): Replacement {
  const { cells, nulls } = table.format.changes(row, set)
  return changeOf(table, rowkey, cells, nulls)
}

/** Every change of a row gives it another mark, so that a write which was computed from the row as it was finds that out. */
function changeOf({ server }: TableContext, row: Uint8Array, cells: PutCell[], nulls: readonly Column[]): Replacement {
  const own = newMark()
  cells.push({ family, qualifier: mark, value: own })
  const timestamp = nulls.length === 0 ? server.timestamps?.ofPut(row) : server.timestamps?.ofDelete(row)
  const put = { row, cells, timestamp }
  return { put, mark: own, clear: nulls.length === 0 ? undefined : { row, columns: nulls, type: 'column', timestamp } }
}

/** In the form of calls that apply several changes of a row together. */
export const mutationsOf = ({ put, clear }: Replacement): readonly RowMutation[] =>
  clear === undefined ? [{ put }] : [{ put }, { delete: clear }]

/**
 * Deletes a whole row.
 *
 * @param seen the timestamp of the row as it was found. Where this process chooses timestamps, nothing later is deleted: a write of another
 * process that arrives after this delete stays if its timestamp is later than that of the row, even if it is not later than this delete
 */
export const deletionOf = ({ server }: TableContext, row: Uint8Array, seen?: bigint): Delete => ({
  row,
  timestamp: server.timestamps === undefined ? undefined : (seen ?? server.timestamps.ofDelete(row)),
})

/** What must hold of a row for a change to be applied. The server checks it and applies the change in one step. */
export interface Requirement {
  readonly cell: Check
  readonly operator: CompareOperator
}

const requirement = (row: Uint8Array, qualifier: Uint8Array, operator: CompareOperator, value: Uint8Array | undefined): Requirement => ({
  cell: { row, family, qualifier, value },
  operator,
})

/** That there is no row. */
export const isAbsent = (row: Uint8Array): Requirement => requirement(row, mark, 'equal', undefined)

/** That there is a row. */
export const isPresent = (row: Uint8Array): Requirement => requirement(row, mark, 'notEqual', undefined)

/** That the row is still the one that had this mark. */
export const isUnchanged = (row: Uint8Array, seen: Uint8Array): Requirement => requirement(row, mark, 'equal', seen)

/** That the row has this version. */
export const hasVersion = (row: Uint8Array, version: string): Requirement => requirement(row, versionColumn, 'equal', utf8Of(version))

const versionColumn = utf8Of('rk_version')
