import type { Row, Value } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { ReadOptions } from '@rowkey/store'
import type { GetOptions } from './repository-types.js'
import { isRowkeyError } from '@rowkey/codec'
import { getRows, inTime, isExpired, isPromise, rowkeyOf } from '@rowkey/store'
import { forgettingLostTable } from './forget-lost-table.js'
import { cancellationOf, cancelRules, type CancelOptions } from './cancellation.js'
import { checkOptions } from './check-options.js'
import { observed, stopwatch } from './call-event.js'
import type { LoadProgress } from './load-windows.js'
import type { TableOperation } from './operation.js'
import type { RepositoryContext } from './repository-context.js'
import { locatorOf } from './native.js'
import { RowWrites, type AnyLoadOptions } from './row-writes.js'
import { eachOf } from './rows/each-of.js'
import { missingRow } from './rows/missing.js'
import { RowMapper } from './rows/row-mapper.js'
import { RepositoryFullScan, type AnyFullScanOptions } from './full-scan.js'
import { queryCompiler, RepositoryScan } from './scan.js'
import type { ScanContext } from './scan-run.js'
import { readRules, type AnyScanOptions } from './scan-options.js'
import {
  checkWriteOptions,
  noOptions,
  operationRules,
  type ChangeOptions,
  type InsertOptions,
  type OperationOptions,
  type PutOptions,
  type WriteOptions,
} from './write-options.js'

type Given = Readonly<Record<string, unknown>>
type Report = ReturnType<typeof stopwatch>

/** @internal */
export class TableRepository {
  readonly schema: TableSchema
  private readonly context: RepositoryContext
  /** Writes of one row for `db.write()`. */
  readonly op: Operations
  private readonly rows: RowMapper
  private readonly writes: RowWrites
  private readonly scans: ScanContext

  constructor(context: RepositoryContext) {
    this.schema = context.schema
    this.context = context
    this.rows = new RowMapper(context.schema, context.model)
    this.writes = new RowWrites(context, this.rows)
    this.op = operationsOf(this.writes)
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
      remove: (rows, cancellation) => this.writes.remove(rows, cancellation),
      clock: context.clock,
      onCall: context.onCall,
      seal: context.seal,
    }
  }

  async get(key: Given, options: GetOptions = noReadOptions): Promise<object | undefined> {
    const report = this.begin('get')
    try {
      const found = this.fetch([this.rows.toKey(key)], this.readOptions('get', options))
      const row = this.living((isPromise(found) ? await found : found)[0])
      report?.(Number(row !== undefined), {})
      return row === undefined ? undefined : this.rows.toObject(row)
    } catch (error) {
      throw this.failed(error, report)
    }
  }

  async getOrThrow(key: Given, options: GetOptions = noReadOptions): Promise<object> {
    const report = this.begin('getOrThrow')
    try {
      const wanted = this.rows.toKey(key)
      const row = this.living((await this.fetch([wanted], this.readOptions('getOrThrow', options)))[0])
      // Not the key that was given: the caller may have changed it meanwhile.
      if (row === undefined) throw missingRow(this.schema.name, this.rows.keyOf(wanted), 'Use get() where it may be missing')
      report?.(1, {})
      return this.rows.toObject(row)
    } catch (error) {
      throw this.failed(error, report)
    }
  }

  async exists(key: Given, options: GetOptions = noReadOptions): Promise<boolean> {
    const report = this.begin('exists')
    try {
      const { expiryAt } = this.schema
      const read = { ...this.readOptions('exists', options), columns: expiryAt < 0 ? [] : [expiryAt] }
      const exists = this.living((await this.fetch([this.rows.toKey(key)], read))[0]) !== undefined
      report?.(Number(exists), {})
      return exists
    } catch (error) {
      throw this.failed(error, report)
    }
  }

  getMany(keys: readonly Given[], options: GetOptions = noReadOptions): Promise<(object | undefined)[]> {
    return this.call(
      'getMany',
      (found) => found.filter((row) => row !== undefined).length,
      async () => {
        const read = this.readOptions('getMany', options)
        const slots = new Map<string, number>()
        const distinct: Row[] = []
        const places = eachOf('getMany()', keys, (given) => {
          const key = this.rows.toKey(given)
          const id = rowkeyOf(this.schema, key)
          const slot = slots.get(id) ?? distinct.push(key) - 1
          slots.set(id, slot)
          return slot
        })
        const found = distinct.length === 0 ? [] : await this.fetch(distinct, read)
        return places.map((slot) => {
          const row = this.living(found[slot])
          return row === undefined ? undefined : this.rows.toObject(row)
        })
      },
    )
  }

  insert(row: Given, options: InsertOptions = noOptions): Promise<object> {
    return this.write('insert', row, options)
  }

  put(row: Given, options: PutOptions = noOptions): Promise<object> {
    return this.write('put', row, options)
  }

  async update(key: Given, patch: Given, options: ChangeOptions = noOptions): Promise<object> {
    const report = this.begin('update')
    try {
      const written = await this.writes.update(key, patch, options)
      report?.(1, {})
      return written
    } catch (error) {
      throw this.failed(error, report)
    }
  }

  async delete(key: Given, options: ChangeOptions = noOptions): Promise<void> {
    const report = this.begin('delete')
    try {
      const deleting = this.writes.delete(key, options)
      if (deleting !== undefined) await deleting
      report?.(1, {})
    } catch (error) {
      throw this.failed(error, report)
    }
  }

  putMany(rows: readonly Given[], options: InsertOptions = noOptions): Promise<void> {
    return this.call(
      'putMany',
      () => rows.length,
      () => this.writes.putMany(rows, options),
    )
  }

  deleteMany(keys: readonly Given[], options: WriteOptions = noOptions): Promise<void> {
    return this.call(
      'deleteMany',
      () => keys.length,
      () => this.writes.deleteMany(keys, options),
    )
  }

  modify(key: Given, change: (row: object) => unknown, options: WriteOptions = noOptions): Promise<object> {
    return this.call(
      'modify',
      () => 1,
      () => this.writes.modify(key, change, options),
    )
  }

  load(rows: Iterable<Given> | AsyncIterable<Given>, options: AnyLoadOptions = noOptions): Promise<LoadProgress> {
    return this.call(
      'load',
      (loaded) => loaded.rows,
      () => this.writes.load(rows, options),
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

  async locate(key: Given, options: CancelOptions = noReadOptions): Promise<unknown> {
    checkOptions('locate()', options, cancelRules)
    const row = this.rows.toKey(key)
    const { adapter, schema, clock } = this.context
    const locator = locatorOf(adapter, schema)
    const table = this.context.table()
    const { catalog } = isPromise(table) ? await inTime(cancellationOf(options, clock, 'locate', schema.name), table) : table
    return locator.locate(schema, catalog, row)
  }

  private async write(kind: 'insert' | 'put', given: Given, options: PutOptions): Promise<object> {
    const report = this.begin(kind)
    try {
      const written = await this.writes.put(kind, given, options)
      report?.(1, {})
      return written
    } catch (error) {
      throw this.failed(error, report)
    }
  }

  private fetch(keys: readonly Row[], options: ReadOptions): ReturnType<typeof getRows> {
    options.cancellation?.throwIfOver()
    const table = this.context.table()
    if (isPromise(table)) return inTime(options.cancellation, table).then(({ store }) => getRows(this.schema, store, keys, options))
    return getRows(this.schema, table.store, keys, options)
  }

  /** @throws RowkeyError `INVALID_OPTION` */
  private readOptions(method: string, options: GetOptions): ReadOptions {
    if (options === noReadOptions) return strong
    checkOptions(`${method}()`, options, readRules)
    const { consistency = 'strong' } = options
    const cancellation = cancellationOf(options, this.context.clock, method, this.schema.name)
    if (cancellation === undefined) return consistency === 'strong' ? strong : { consistency }
    return { consistency, cancellation }
  }

  /** Nothing if it has expired. */
  private living(row: Row | undefined): Row | undefined {
    if (row === undefined || this.schema.expiryAt < 0) return row
    return isExpired(this.schema, row, this.context.clock()) ? undefined : row
  }

  /** Starts the clock of a call that is watched. Calls that are one step long come without closures. */
  private begin(method: string): Report | undefined {
    const { onCall, schema } = this.context
    return onCall === undefined ? undefined : stopwatch(onCall, { table: schema.name, method })
  }

  /** What a call that failed throws. */
  private failed(error: unknown, report: Report | undefined): unknown {
    if (isRowkeyError(error, 'TABLE_MISSING')) this.context.forget()
    report?.(0, { error })
    return error
  }

  private call<T>(method: string, rows: (result: T) => number, run: () => Promise<T>): Promise<T> {
    return observed(this.context.onCall, { table: this.schema.name, method, rows }, () => forgettingLostTable(this.context, run))
  }
}

const noReadOptions: GetOptions = Object.freeze({})
const strong: ReadOptions = Object.freeze({ consistency: 'strong' })

interface Operations {
  insert(row: Given, options?: OperationOptions<InsertOptions>): TableOperation
  put(row: Given, options?: OperationOptions<PutOptions>): TableOperation
  update(key: Given, patch: Given, options?: OperationOptions<ChangeOptions>): TableOperation
  delete(key: Given, options?: OperationOptions<ChangeOptions>): TableOperation
}

function operationsOf(writes: RowWrites): Operations {
  const { insert, put, change } = operationRules
  const checked = <T extends object>(kind: TableOperation['kind'], options: T, rules: Parameters<typeof checkWriteOptions>[2]): T => {
    checkWriteOptions(`op.${kind}`, options, rules)
    return options
  }
  return {
    insert: (row, options = noOptions) =>
      writes.operation('insert', (maker, now) => maker.insert('insert', row, checked('insert', options, insert), now)),
    put: (row, options = noOptions) => writes.operation('put', (maker, now) => maker.insert('put', row, checked('put', options, put), now)),
    update: (key, patch, options = noOptions) =>
      writes.operation('update', (maker, now) => maker.update(key, patch, checked('update', options, change), now)),
    delete: (key, options = noOptions) => writes.operation('delete', (maker) => maker.delete(key, checked('delete', options, change))),
  }
}
