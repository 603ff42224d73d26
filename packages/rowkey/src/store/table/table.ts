// Tested by packages/rowkey/test/mapper/table-cache.test.ts.
import type { TableSchema } from '#model'
import { computedColumns } from '#model/internal'
import type { Adapter, ChangeOptions, TableCatalog, TableStore } from '../contract/adapter.js'
import { horizonOf, planned, type Horizon } from './ahead.js'
import { checkCatalog } from './catalog.js'
import { typeText } from '#codec/internal'
import { storeError } from '../errors.js'
import { checkGrowth, widerColumns, type RefuseWidening } from './catalog-growth.js'
import { brief } from './apart.js'
import { checkForStore } from './for-store.js'
import { schemaOfCatalog } from './stored-schema.js'

/** An open table: its schema, checked against the catalog, and its reads. */
export interface Table {
  readonly schema: TableSchema
  readonly adapter: Adapter
  readonly store: TableStore
  /** As it was when the table was opened. */
  readonly catalog: TableCatalog
  /** Of a table with a period. */
  readonly horizon: Horizon | undefined
}

/**
 * Reads a table's catalog, compares it with the schema and opens it. Once per process and table; again to see what has changed in one that is
 * `known`.
 *
 * @param clock epoch milliseconds, asked if the table has periods
 * @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH`, `INVALID_OPTION` for hints that the adapter does not accept
 */
export async function openTable(adapter: Adapter, schema: TableSchema, clock: () => number = Date.now, known?: Table): Promise<Table> {
  checkForStore(adapter, schema)
  const now = computedColumns(schema).length === 0 ? 0 : clock()
  const catalog = await adapter.describeTable(schema.name)
  if (known !== undefined && JSON.stringify(catalog) === JSON.stringify(known.catalog))
    return { ...known, horizon: horizon(schema, known.catalog, now) }
  checkCatalog(schema, catalog)
  refuseNarrowing(adapter, schema, catalog)
  return { schema, adapter, store: adapter.table(schema, catalog), catalog, horizon: horizon(schema, catalog, now) }
}

const horizon = (schema: TableSchema, catalog: TableCatalog, now: number): Horizon | undefined =>
  computedColumns(schema).length === 0 ? undefined : horizonOf(schema, schemaOfCatalog(catalog, schema.name), catalog, now)

/**
 * Allows rows that are dated further ahead.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export async function dateTable(adapter: Adapter, schema: TableSchema, clock: () => number, dated: number): Promise<void> {
  await adapter.ensureTable(planned(schema, clock, dated), { clock })
}

/**
 * Creates a table, or adds the value columns that it lacks, if they are nullable or have a constant default.
 *
 * @returns whether anything was created or added
 * @throws RowkeyError `SCHEMA_MISMATCH` for any other difference, `INVALID_OPTION` for hints that the adapter does not accept. Then nothing
 * is changed
 */
export async function ensureTable(
  adapter: Adapter,
  schema: TableSchema,
  options: ChangeOptions = {},
  clock: () => number = Date.now,
): Promise<{ readonly changed: boolean }> {
  checkForStore(adapter, schema)
  const plan = planned(schema, clock)
  const found = await adapter.describeTable(schema.name)
  if (found !== undefined) checkGrowth(plan, found, (columns) => refuseWidening(adapter, schema, columns))
  const catalog = await adapter.ensureTable(plan, { ...options, clock })
  checkCatalog(schema, catalog)
  refuseNarrowing(adapter, schema, catalog)
  return { changed: found === undefined || JSON.stringify(found) !== JSON.stringify(catalog) }
}

/** @throws RowkeyError `SCHEMA_MISMATCH` if the table has wider types than the model, and the store holds the narrower ones as other types */
function refuseNarrowing(adapter: Adapter, schema: TableSchema, catalog: TableCatalog): void {
  if (adapter.widens === undefined) return
  const wider = widerColumns(schema, catalog)
  const differences = wider
    .filter(([mine, stored]) => mine.role === 'value' && adapter.widens?.(mine, stored) === false)
    .map(
      ([mine, stored]) =>
        `column '${mine.physical}': the model has ${brief(typeText(mine.type))}, the table ${brief(typeText(stored.type))}`,
    )
  if (differences.length === 0) return
  throw storeError(
    'SCHEMA_MISMATCH',
    [
      `the model of '${schema.name}' does not match the existing table, and ${adapter.name} stores these types in different forms:`,
      ...differences.map((each) => `  - ${each}`),
      'Give the model the types of the table.',
    ],
    { table: schema.name, differences },
  )
}

/** @throws RowkeyError `SCHEMA_MISMATCH` for columns that the store would have to convert */
function refuseWidening(adapter: Adapter, { name }: TableSchema, columns: Parameters<RefuseWidening>[0]): void {
  const refused = columns.filter(([mine, stored]) => adapter.widens?.(stored, mine) === false)
  if (refused.length === 0) return
  const differences = refused.map(
    ([mine, stored]) => `column '${mine.physical}': ${brief(typeText(stored.type))} cannot become ${brief(typeText(mine.type))}`,
  )
  throw storeError(
    'SCHEMA_MISMATCH',
    [
      `${adapter.name} cannot widen columns of '${name}', because it stores them as other types:`,
      ...differences.map((each) => `  - ${each}`),
      'Keep the types, or create a new table and copy the rows.',
    ],
    { table: name, differences },
  )
}
