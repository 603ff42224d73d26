// Tested by stores-commands.test.ts and stores-interrupted.test.ts.
import type { Row } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import {
  compileQuery,
  fullScanPage,
  getRows,
  type OpenTable,
  type Query,
  type QueryOptions,
  readCheckpoint,
  readCursor,
  resumePlan,
  type Run,
  runFullScan,
  runQuery,
  writeCheckpoint,
  writeCursor,
} from 'rowkey/internal'
import { isExpired, type ReadOptions } from 'rowkey/adapter'
import { exitCodes, Failure } from '../failure.js'

// The mapper returns rows without their expiry, and text has all of a row. So rows are read here as the mapper itself reads them.

/** Some rows, and where to go on after them; undefined = there are no more. */
export interface Page {
  readonly rows: readonly Row[]
  readonly next: string | undefined
}

/** Rows are read by a query, or the whole table in the order of the store. */
export interface Selection {
  readonly schema: TableSchema
  /** undefined: the whole table. */
  readonly query: Query | undefined
  /** Whether values are not needed. */
  readonly keysOnly?: boolean
}

/**
 * A query on a table of a store.
 *
 * @throws RowkeyError that refuses it, Failure
 */
export function queryOn({ schema, adapter }: OpenTable, where: Readonly<Record<string, unknown>>, options: QueryOptions): Query {
  const query = compileQuery(schema, where, options)
  if (query.reverse && query.plan.kind === 'scan' && !adapter.capabilities.reverse) {
    throw new Failure(`${adapter.name} cannot scan '${schema.name}' backwards.`, exitCodes.refused)
  }
  return query
}

/** The row with a key, unless there is none or it has expired. */
export async function rowWithKey({ schema, store }: OpenTable, key: Row): Promise<Row | undefined> {
  const [row] = await getRows(schema, store, [key], { consistency: 'strong' })
  return row === undefined || isExpired(schema, row, Date.now()) ? undefined : row
}

/**
 * Pages of a selection, from where an earlier one ended.
 *
 * @throws RowkeyError `CURSOR_INVALID`, `CURSOR_MISMATCH`
 */
export async function* pagesOf(
  table: OpenTable,
  selection: Selection,
  from: string | undefined,
  size: number = fullScanPage,
): AsyncGenerator<Page, undefined> {
  const { run, next } =
    selection.query === undefined ? wholeTable(table, selection, from) : queried(table, selection.query, selection, from, size)
  try {
    for (;;) {
      const { rows, position, stop } = await run.take(size)
      if (stop === 'exhausted') {
        yield { rows, next: undefined }
        return
      }
      yield { rows, next: next(position as never) }
    }
  } finally {
    run.close()
  }
}

interface Started {
  readonly run: Pick<Run<unknown>, 'take' | 'close'>
  readonly next: (position: never) => string
}

function wholeTable({ schema, store, adapter }: OpenTable, selection: Selection, from: string | undefined): Started {
  const checkpoints = from === undefined ? undefined : readCheckpoint(schema, adapter.name, from)
  const run = runFullScan(schema, () => store, { read: readOptions(selection), clock: Date.now, checkpoints })
  return { run, next: (position: readonly string[] | undefined) => writeCheckpoint(schema, adapter.name, position ?? checkpoints ?? ['']) }
}

function queried({ schema, store }: OpenTable, query: Query, selection: Selection, from: string | undefined, limit: number): Started {
  const { bound, backwards } = from === undefined ? { bound: undefined, backwards: false } : readCursor(schema, query, from)
  if (backwards) throw new Failure('the cursor is that of a previous page, which the command does not read.')
  const order = { reverse: query.reverse, merged: query.merged }
  const plan = bound === undefined ? query.plan : resumePlan(schema, query.plan, bound, order)
  const run = runQuery(schema, plan, () => store, {
    order,
    limit: limit === fullScanPage ? undefined : limit,
    read: readOptions(selection),
    clock: Date.now,
  })
  type At = { readonly bound: Parameters<typeof writeCursor>[2] } | undefined
  return { run, next: (position: At) => writeCursor(schema, query, position?.bound ?? bound) }
}

function readOptions({ schema, query, keysOnly = false }: Selection): ReadOptions {
  if (!keysOnly) return { consistency: 'strong' }
  const filtered = query === undefined || query.plan.kind === 'empty' ? [] : query.plan.residual.map(({ column }) => column)
  const needed = [...filtered, schema.expiryIndex].filter((at) => at >= schema.keyLength)
  return { consistency: 'strong', columns: [...new Set(needed)].sort((a, b) => a - b) }
}

/** What conditions select: without any, the whole table in the order of the store, which is the cheapest. */
export function selectionOf(table: OpenTable, where: Readonly<Record<string, unknown>>, options: QueryOptions): Selection {
  const isAll = Object.keys(where).length === 0
  return { schema: table.schema, query: isAll ? undefined : queryOn(table, where, options) }
}
