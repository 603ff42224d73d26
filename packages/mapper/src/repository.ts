import type { Row, Value } from '@rowkey/codec'
import type { Class, TableSchema } from '@rowkey/model'
import type { Adapter, Mutation, ReadOptions, Table } from '@rowkey/store'
import type { CursorSeal } from './cursor-seal.js'
import type { GetOptions } from './repository-types.js'
import { RowkeyError, show } from '@rowkey/codec'
import { checkKey, checkRow, getRows, isPromise, rowkeyOf, writeMany, writeOne } from '@rowkey/store'
import { forgettingLostTable } from './forget-lost-table.js'
import { observed, type OnCall } from './call-event.js'
import { eachOf } from './rows/each-of.js'
import { RowMapper } from './rows/row-mapper.js'
import { RepositoryFullScan, type AnyFullScanOptions } from './full-scan.js'
import { queryCompiler, RepositoryScan } from './scan.js'
import type { ScanContext } from './scan-run.js'
import type { AnyScanOptions } from './scan-options.js'

type Given = Readonly<Record<string, unknown>>

/** What a repository shares with its mapper. */
export interface RepositoryContext {
  readonly adapter: Adapter
  readonly schema: TableSchema
  readonly model: Class | undefined
  readonly clock: () => number
  readonly onCall: OnCall | undefined
  readonly seal: CursorSeal
  /** The open table; at once after the first call. */
  table(): Table | Promise<Table>
  /** Opens the table anew at the next call. */
  forget(): void
}

/** @internal */
export class TableRepository {
  readonly schema: TableSchema
  private readonly context: RepositoryContext
  private readonly rows: RowMapper
  private readonly scans: ScanContext

  constructor(context: RepositoryContext) {
    this.schema = context.schema
    this.context = context
    this.rows = new RowMapper(context.schema, context.model)
    this.scans = {
      name: context.schema.name,
      schema: context.schema,
      adapter: context.adapter,
      mapper: this.rows,
      table: () => context.table(),
      forget: () => {
        context.forget()
      },
      query: queryCompiler(context, context.adapter),
      remove: (rows) => this.remove(rows),
      clock: context.clock,
      onCall: context.onCall,
      seal: context.seal,
    }
  }

  get(key: Given, options: GetOptions = {}): Promise<object | undefined> {
    return this.call(
      'get',
      (row) => Number(row !== undefined),
      () => this.one(key, options),
    )
  }

  getOrThrow(key: Given, options: GetOptions = {}): Promise<object> {
    return this.call(
      'getOrThrow',
      () => 1,
      async () => {
        const wanted = this.rows.toKey(key)
        const [row] = await this.fetch([wanted], readOptions(options))
        if (row !== undefined) return this.rows.toObject(row)
        const { name } = this.schema
        const own = this.rows.keyOf(wanted) // the caller may have changed what he gave
        const text = Object.entries(own)
          .map(([column, value]) => `${column} ${show(value)}`)
          .join(', ')
        throw new RowkeyError('ROW_MISSING', `'${name}' has no row with key (${text}). Use get() where it may be missing.`, {
          table: name,
          key: own,
        })
      },
    )
  }

  exists(key: Given, options: GetOptions = {}): Promise<boolean> {
    return this.call('exists', Number, async () => {
      const [row] = await this.fetch([this.rows.toKey(key)], { ...readOptions(options), columns: [] })
      return row !== undefined
    })
  }

  getMany(keys: readonly Given[], options: GetOptions = {}): Promise<(object | undefined)[]> {
    return this.call(
      'getMany',
      (found) => found.filter((row) => row !== undefined).length,
      async () => {
        const slots = new Map<string, number>()
        const distinct: Row[] = []
        const places = eachOf('getMany()', keys, (given) => {
          const key = this.rows.toKey(given)
          const id = rowkeyOf(this.schema, key)
          const slot = slots.get(id) ?? distinct.push(key) - 1
          slots.set(id, slot)
          return slot
        })
        const found = distinct.length === 0 ? [] : await this.fetch(distinct, readOptions(options))
        return places.map((slot) => this.objectOf(found[slot]))
      },
    )
  }

  insert(row: Given): Promise<object> {
    return this.write('insert', row)
  }

  put(row: Given): Promise<object> {
    return this.write('put', row)
  }

  putMany(rows: readonly Given[]): Promise<void> {
    return this.call(
      'putMany',
      () => rows.length,
      () => {
        const now = this.context.clock()
        const mutations = eachOf('putMany()', rows, (given): Mutation => ({
          kind: 'put',
          schema: this.schema,
          row: this.checkedRow(given, now),
        }))
        return this.apply(mutations, now)
      },
    )
  }

  update(key: Given, patch: Given): Promise<void> {
    return this.call(
      'update',
      () => 1,
      async () => {
        this.refusePlain('update')
        const { row, set } = this.rows.toPatch(this.rows.toKey(key), patch)
        checkRow(this.schema, row, this.context.adapter.capabilities)
        await this.context.table()
        await writeOne(this.context.adapter, { kind: 'update', schema: this.schema, row, set }, { now: this.context.clock() })
      },
    )
  }

  delete(key: Given): Promise<void> {
    return this.call(
      'delete',
      () => 1,
      async () => {
        const mutation: Mutation = { kind: 'delete', schema: this.schema, row: this.checkedKey(key) }
        await this.context.table()
        await writeOne(this.context.adapter, mutation, { now: this.context.clock() })
      },
    )
  }

  deleteMany(keys: readonly Given[]): Promise<void> {
    return this.call(
      'deleteMany',
      () => keys.length,
      () => {
        const mutations = eachOf('deleteMany()', keys, (key): Mutation => ({
          kind: 'delete',
          schema: this.schema,
          row: this.checkedKey(key),
        }))
        return this.apply(mutations, this.context.clock())
      },
    )
  }

  scan(where: Given, options: AnyScanOptions = {}): RepositoryScan {
    return new RepositoryScan(this.scans, where, options)
  }

  fullScan(options: AnyFullScanOptions = {}): RepositoryFullScan {
    return new RepositoryFullScan(this.scans, options)
  }

  encodeKey(key: Given): Uint8Array {
    return this.schema.layout.rowkey(this.rows.toKey(key))
  }

  decodeKey(rowkey: Uint8Array): object {
    const row: Value[] = []
    this.schema.layout.decode(rowkey, row)
    return this.rows.keyOf(row)
  }

  private write(kind: 'insert' | 'put', given: Given): Promise<object> {
    return this.call(
      kind,
      () => 1,
      async () => {
        if (kind === 'insert') this.refusePlain('insert')
        const now = this.context.clock()
        const row = this.checkedRow(given, now)
        await this.context.table()
        await writeOne(this.context.adapter, { kind, schema: this.schema, row }, { now })
        return { key: this.rows.keyOf(row) }
      },
    )
  }

  private remove(rows: readonly Row[]): Promise<void> {
    const { schema } = this
    const keys = rows.map((row): Mutation => ({ kind: 'delete', schema, row: row.slice(0, schema.keyLength) }))
    return this.apply(keys, this.context.clock())
  }

  private async apply(mutations: readonly Mutation[], now: number): Promise<void> {
    await this.context.table()
    await writeMany(this.context.adapter, mutations, { now })
  }

  private async one(key: Given, options: GetOptions): Promise<object | undefined> {
    const [row] = await this.fetch([this.rows.toKey(key)], readOptions(options))
    return this.objectOf(row)
  }

  private fetch(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    options.signal?.throwIfAborted()
    const table = this.context.table()
    const read = ({ store }: Table): ReturnType<typeof getRows> => getRows(this.schema, store, keys, options)
    return isPromise(table) ? table.then(read) : Promise.resolve(read(table))
  }

  private objectOf(row: Row | undefined): object | undefined {
    return row === undefined ? undefined : this.rows.toObject(row)
  }

  private checkedRow(given: Given, now: number): Row {
    const row = this.rows.toRow(given, now)
    checkRow(this.schema, row, this.context.adapter.capabilities)
    return row
  }

  private checkedKey(given: Given): Row {
    const key = this.rows.toKey(given)
    checkKey(this.schema, key, this.context.adapter.capabilities)
    return key
  }

  private refusePlain(method: string): void {
    const { name, writes } = this.schema
    if (writes === 'conditional') return
    throw new RowkeyError(
      'WRITES_PLAIN',
      `${method} looks before it writes, and '${name}' is declared with writes: 'plain'. Use put or delete, or declare it 'conditional'.`,
      { table: name, method },
    )
  }

  private call<T>(method: string, rows: (result: T) => number, run: () => Promise<T>): Promise<T> {
    return observed(this.context.onCall, { table: this.schema.name, method, rows }, () => forgettingLostTable(this.context, run))
  }
}

function readOptions({ consistency = 'strong', signal }: GetOptions): ReadOptions {
  return { consistency, ...(signal === undefined ? {} : { signal }) }
}
