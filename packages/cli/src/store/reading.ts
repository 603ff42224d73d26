// Tested by stores-commands.test.ts and stores-interrupted.test.ts.
import type { Repository, Scan, ScanOptions, TableSchema } from 'rowkey'
import { fullScanPage } from 'rowkey/internal'
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
  let cursor = from
  do {
    const { rows, cursor: next } = await scan.page({ size: fullScanPage, cursor })
    if (rows.length > 0) yield { rows, next: () => (next === undefined ? scan.cursorOf(rows.at(-1) as ObjectRow) : Promise.resolve(next)) }
    cursor = next
  } while (cursor !== undefined)
}
