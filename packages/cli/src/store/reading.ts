// Also tested by stores-commands.test.ts and stores-interrupted.test.ts.
import type { Repository, Scan, ScanOptions, TableSchema } from 'rowkey'
import { fullScanPage } from 'rowkey/internal'
import { keyColumns } from '../keys/key-of-values.js'
import type { ObjectRow } from '../rows/row-text.js'
import type { Where } from '../where/where-of.js'
import type { OpenStore } from './open-store.js'

/** Some rows, and where to go on after them. */
export interface Page {
  readonly rows: readonly ObjectRow[]
  next(): Promise<string>
}

/** Which columns rows have that are written whole: all, and their expiry. */
export const wholeRows = ({ expiryIndex }: TableSchema): { readonly withExpiry?: true } => (expiryIndex < 0 ? {} : { withExpiry: true })

/** The columns that some rows have. */
export type Shape = ReturnType<typeof wholeRows> | { readonly select: readonly string[] }

/** The rows of a table. What columns they have is known when the command runs. */
export const rowsOf = ({ db }: OpenStore, model: TableSchema): Repository<TableSchema> => db.repository(model)

/** The types of a scan ask for conditions on the first column, and the command has conditions of any columns. It is refused all the same. */
export const scanOf = (table: Repository<TableSchema>, where: Where, options: ScanOptions<TableSchema>): Scan<ObjectRow> =>
  table.scan(where, options as ScanOptions<TableSchema> & { unbounded: true })

/**
 * The rows that meet conditions, some at a time, from where an earlier page ended. Without conditions it is the whole table in the order of the
 * store, which is the cheapest.
 *
 * @throws RowkeyError that refuses it, `CURSOR_INVALID`, `CURSOR_MISMATCH`
 */
export async function* pagesOf(
  table: Repository<TableSchema>,
  where: Where,
  options: ScanOptions<TableSchema>,
  shape: Shape,
  from?: string,
): AsyncGenerator<Page, undefined> {
  if (Object.keys(where).length === 0) {
    for await (const { rows, checkpoint } of table.readAll({ ...shape, checkpoint: from }).pages())
      yield { rows, next: () => Promise.resolve(checkpoint) }
    return
  }
  const scan = scanOf(table, where, { ...options, ...shape })
  const pageOf = (rows: readonly ObjectRow[]): Page => ({ rows, next: () => scan.cursorOf(rows.at(-1) as ObjectRow) })
  let rest = scan
  if (from !== undefined) {
    let first = await scan.page({ size: fullScanPage, cursor: from })
    // A page of keys has no row if none of them exists.
    while (first.rows.length === 0 && first.cursor !== undefined) first = await scan.page({ size: fullScanPage, cursor: first.cursor })
    const last = first.rows.at(-1)
    if (last !== undefined) yield pageOf(first.rows)
    if (last === undefined || first.cursor === undefined) return
    rest = scanOf(table, where, { ...options, ...shape, after: keyOf(table, last) })
  }
  // One scan, which reads on where it is: each page would start to read all buckets again.
  let rows: ObjectRow[] = []
  for await (const row of rest) {
    rows.push(row)
    if (rows.length < fullScanPage) continue
    yield pageOf(rows)
    rows = []
  }
  if (rows.length > 0) yield pageOf(rows)
}

const keyOf = ({ schema }: Repository<TableSchema>, row: ObjectRow): ObjectRow =>
  Object.fromEntries(keyColumns(schema).map(({ name }) => [name, row[name]]))
