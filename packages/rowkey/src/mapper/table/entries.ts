// Tested by packages/rowkey/test/mapper/index-interleavings.test.ts and index-expiry.test.ts.
import type { Row } from '#codec'
import type { SchemaColumn, TableIndex, TableSchema } from '#model'
import type { Mutation } from '#store/adapter'
import { withPatch } from '#store/engine'

type Update = Extract<Mutation, { kind: 'update' }>

/** The rows whose entries a mutation needs in an index, before it is applied; none for a delete, and for a change of other columns. */
export function rowsForEntries(index: TableIndex, mutation: Mutation): readonly Row[] {
  if (mutation.kind === 'delete') return []
  if (mutation.kind !== 'update') return [mutation.row]
  const { create, after, row, set, schema } = mutation
  const created = create === undefined ? [] : [create]
  if (!touches(index, mutation)) return created
  if (after !== undefined) return [...created, after]
  const bare: Row = schema.columns.map((_, at) => (at < schema.keyLength ? (row[at] ?? null) : null))
  return [...created, withPatch(bare, row, set)]
}

/** An index of which a change lacks a part of the new entry, and the column that it lacks: the row has to be read first. */
export function lackedPart(
  { indexes, keyLength, expiryIndex, columns }: TableSchema,
  change: Update,
): { readonly index: string; readonly column: string } | undefined {
  for (const index of indexes) {
    if (!touches(index, change)) continue
    const added = new Set(change.additions?.map(({ column }) => column))
    const lacking = index.sources.find((at) => at >= keyLength && (added.has(at) || !change.set.includes(at)))
    if (lacking !== undefined)
      return { index: index.name, column: lacking === expiryIndex ? 'expires' : (columns[lacking] as SchemaColumn).name }
  }
  return undefined
}

/** Whether a change makes another entry. */
function touches({ sources }: TableIndex, { set, additions = [] }: Update): boolean {
  return sources.some((at) => set.includes(at) || additions.some(({ column }) => column === at))
}
