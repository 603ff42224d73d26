// Tested by table-cache.test.ts.
import type { Duration, ModelClass, TableIndex, TableSchema } from '#model'
import {
  inTime,
  isPromise,
  type Adapter,
  type Cancellation,
  type MaybePromise,
  type Mutation,
  type TableCatalog,
  type TableStore,
} from '#store/adapter'
import { canReach, checkIndexes, lastBegin, type Table } from '#store/engine'
import { Calls, type OnCall } from '../call/calls.js'
import { cancellationOf, type CancelOptions } from '../call/cancellation.js'
import type { Validation } from '../rows/class-validator.js'
import { mapperError } from '../call/errors.js'
import { RowMapper } from '../rows/row-mapper.js'
import type { CursorSeal } from './cursor-seal.js'
import type { Entrance } from './entrance.js'
import type { Sender } from './sender.js'
import type { TableCache } from './table-cache.js'

/** What all tables of a mapper share. */
export interface MapperContext {
  readonly adapter: Adapter
  readonly tables: TableCache
  /** Epoch milliseconds, whole. */
  readonly clock: () => number
  /** How long calls may take that do not say how long. */
  readonly timeout: Duration | undefined
  readonly onCall: OnCall | undefined
  readonly seal: CursorSeal
  readonly sender: Sender
  /** How often a write without progress is sent. */
  readonly attempts: number
  readonly validation: Validation
}

/** One table of a mapper, as its repository, scans and writes use it. */
export class TableHandle {
  readonly mapper: MapperContext
  readonly schema: TableSchema
  /** Physical name. */
  readonly name: string
  readonly rows: RowMapper
  readonly calls: Calls
  private readonly hasPeriods: boolean
  /** The catalog that has the indexes of the model. */
  private checked: TableCatalog | undefined
  private readonly indexHandles = new Map<TableIndex, TableHandle>()

  /** @param model the class whose instances reads return, if the model is one */
  constructor(mapper: MapperContext, schema: TableSchema, model: ModelClass | undefined) {
    this.mapper = mapper
    this.schema = schema
    this.name = schema.name
    this.rows = new RowMapper(schema, model)
    this.hasPeriods = this.rows.computed !== undefined
    this.calls = new Calls(mapper.onCall, schema.name, () => {
      this.forget()
    })
  }

  /** Opened at the first call; a promise only until then. */
  open(): MaybePromise<Table> {
    return this.mapper.tables.get(this.schema)
  }

  /** The open table, for a write of these rows. Of a table with periods, its catalog may have to be read again, or changed. */
  openFor(mutations: readonly Mutation[]): MaybePromise<Table> {
    if (!this.hasPeriods) return this.writable(this.open())
    const rows = mutations.flatMap(({ schema, row }) => (schema === this.schema ? [row] : []))
    return this.writable(this.reaching(lastBegin(this.schema, rows), true))
  }

  /** @throws RowkeyError `SCHEMA_MISMATCH` if rows would lack entries of an index */
  private writable(table: MaybePromise<Table>): MaybePromise<Table> {
    if (isPromise(table)) return table.then((opened) => this.writable(opened))
    if (this.checked === table.catalog) return table
    if (this.schema.indexes.length > 0 || table.catalog.indexes !== undefined) checkIndexes(this.schema, table.catalog)
    this.checked = table.catalog
    return table
  }

  /** The table of an index's entries. */
  entries(index: TableIndex): TableHandle {
    let handle = this.indexHandles.get(index)
    if (handle === undefined) this.indexHandles.set(index, (handle = new TableHandle(this.mapper, index.schema, undefined)))
    return handle
  }

  /** Waits until it is known that all rows have entries. @throws RowkeyError `INDEX_NOT_READABLE`; the reason of the cancellation */
  async mustRead({ name: index }: TableIndex, cancellation: Cancellation | undefined): Promise<void> {
    const isReadable = async (): Promise<boolean> =>
      (await inTime(cancellation, Promise.resolve(this.open()))).catalog.indexes?.[index] === 'readable'
    if (await isReadable()) return
    this.forget() // another program may have built it
    if (await isReadable()) return
    const { catalog } = await this.open()
    throw notReadable(this.name, index, catalog.indexes?.[index] as 'building' | 'dropped' | undefined)
  }

  /** Waits until it is known that the table has the entries of an index, perhaps not all. @throws as {@link mustRead} */
  async mustHave({ name: index }: TableIndex, cancellation: Cancellation | undefined): Promise<void> {
    this.forget() // another program may have dropped it
    const { catalog } = await inTime(cancellation, Promise.resolve(this.open()))
    const state = catalog.indexes?.[index]
    if (state !== 'building' && state !== 'readable') throw notReadable(this.name, index, state)
  }

  /** For batches of one call, which do not open the table again: only if they need a look at its catalog. */
  get entrance(): Entrance | undefined {
    return this.hasPeriods ? this : undefined
  }

  private reaching(begin: number, writes: boolean): MaybePromise<Table> {
    const table = this.open()
    return !isPromise(table) && canReach(table, begin, writes) ? table : this.mapper.tables.reaching(this.schema, begin, writes)
  }

  /**
   * The reads of the open table. Waits for the table to be opened no longer than the caller waits.
   *
   * @param begin when the last period that is read begins; default all
   * @throws the reason of the cancellation
   */
  store(cancellation: Cancellation | undefined, begin?: number): MaybePromise<TableStore> {
    const table = this.hasPeriods ? this.reaching(begin ?? Infinity, false) : this.open()
    return isPromise(table) ? inTime(cancellation, table).then(({ store }) => store) : table.store
  }

  /** Opens the table again at the next call. */
  forget(): void {
    this.mapper.tables.forget(this.schema)
  }

  /** When the caller of a method stops waiting; undefined = never. */
  cancellation(options: CancelOptions, method: string): Cancellation | undefined {
    return cancellationOf(options, this.mapper.clock, method, this.name)
  }
}

/** Why an index cannot be used. */
function notReadable(table: string, index: string, state: 'building' | 'dropped' | undefined): Error {
  const why =
    state === 'building'
      ? 'rows that are older than it may have no entries yet. Call buildIndex(), once all programs that write to the table have the model with the index'
      : state === 'dropped'
        ? 'it was dropped, and its name is not used again. Declare it under another name, or take it from the model'
        : 'the table does not have it yet. Call ensureTables() with this model, and then buildIndex()'
  return mapperError(
    'INDEX_NOT_READABLE',
    `index '${index}' of '${table}' cannot be ${state === 'building' ? 'scanned' : 'used'}: ${why}.`,
    {
      table,
      indexName: index,
      state: state ?? 'missing',
    },
  )
}
