// Tested by changed-often.test.ts.
import { allOf, anyOf, qualifierIs, qualifierStartsWith, type Column } from '@rowkey/hbase-client'
import { latin1String } from 'rowkey/adapter'
import { family } from '../keys.js'

/** The cells of a row that a read asks for. */
export interface Selection {
  readonly columns: readonly Column[]
  /** undefined: all cells of the columns. */
  readonly filter: Uint8Array | undefined
}

/** All cells. */
export const wholeRow: Selection = { columns: [{ family }], filter: undefined }

/**
 * Some columns of rows. With NEW_VERSION_BEHAVIOR, a server that is asked for columns by their names passes over everything they ever held
 * since the last major compaction, 1 to 3 µs each. It does not if it is asked for the family, with a filter that
 * jumps to the same columns.
 *
 * @param others columns that the reader does not want. If the name of one begins with that of a selected one, the filter also leaves it out
 */
export function selectionOf(qualifiers: readonly Uint8Array[], others: readonly Uint8Array[], isByName: boolean): Selection {
  if (isByName) return { columns: qualifiers.map((qualifier) => ({ family, qualifier })), filter: undefined }
  const prefixes = qualifierStartsWith(qualifiers)
  return {
    columns: wholeRow.columns,
    filter: takesOthers(qualifiers, others) ? allOf([prefixes, anyOf(qualifiers.map(qualifierIs))]) : prefixes,
  }
}

function takesOthers(qualifiers: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  const selected = new Set(qualifiers.map(latin1String))
  return others.some((other) => {
    const name = latin1String(other)
    if (selected.has(name)) return false
    for (let end = 1; end < name.length; end++) if (selected.has(name.slice(0, end))) return true
    return false
  })
}

/** The same cells, as far as another filter passes them. */
export const also = ({ columns, filter }: Selection, other: Uint8Array | undefined): Selection =>
  filter === undefined || other === undefined ? { columns, filter: filter ?? other } : { columns, filter: allOf([filter, other]) }
