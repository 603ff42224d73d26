// Tested by calls.test.ts and small-ways.test.ts.
import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import { inTime, isPromise, type ReadOptions, rowkeyOf } from '#store/adapter'
import type { GetOptions, Repository } from './repository-types.js'
import { andThen } from '#store/engine'
import { cancelRules, inMapperTime, type CancelOptions } from './call/cancellation.js'
import { checkOptions, type OptionRule } from './call/check-options.js'
import { putRows } from './put-many/put-many.js'
import { locatorOf } from './native.js'
import { eachOf } from './rows/each-of.js'
import { missingRow } from './rows/missing.js'
import { mustExpire } from './rows/row-expiry.js'
import { getByIndex } from './scan/get-by-index.js'
import { partsOf } from './scan/parts.js'
import { RepositoryReadAll } from './scan/read-all.js'
import { RepositoryScan, type RemoveRows } from './scan/scan.js'
import { existsRules, readRules, type AnyReadAllOptions, type AnyScanOptions } from './scan/scan-options.js'
import { readRow, readRows, strong } from './table/read-rows.js'
import type { TableHandle } from './table/table-handle.js'
import { incrementRow, updateRow, upsertRow } from './write/change-row.js'
import { modifyRow } from './write/modify.js'
import { operationsOf, type RowOperations } from './write/operations.js'
import { removeRows } from './write/remove-rows.js'
import { RowWrites } from './write/row-writes.js'
import {
  noOptions,
  type ChangeOptions,
  type IncrementOptions,
  type InsertOptions,
  type ModifyOptions,
  type PutManyOptions,
  type PutOptions,
  type UpdateOptions,
  type UpsertOptions,
  type WriteOptions,
  type WrittenMany,
} from './write/write-options.js'

type Given = Readonly<Record<string, unknown>>

/**
 * The methods that users see, with the parameters of a table of which only the run time knows the columns, and results without their content: what
 * that is depends on the model and the options, so the compiler cannot compare it with what this class returns. The options of a scan name columns.
 */
type Erased<T> = {
  readonly [N in keyof T]: T[N] extends (...args: infer A) => infer R ? { method(...args: A): ErasedResult<R> }['method'] : unknown
}
type ErasedResult<R> = R extends Promise<infer T> ? Promise<T extends object ? object : T> : R extends object ? object : R

/**
 * The methods of a repository: each is one call, timed and reported. Reads by key are here; the others call the folder of their name.
 * @internal
 */
export class TableRepository implements Erased<Repository<TableSchema>> {
  readonly schema: TableSchema
  /** Writes of one row for `db.write()`. */
  readonly ops: RowOperations
  readonly handle: TableHandle
  private readonly writes: RowWrites
  private readonly removeRows: RemoveRows

  constructor(handle: TableHandle) {
    this.schema = handle.schema
    this.handle = handle
    this.writes = new RowWrites(handle)
    this.ops = operationsOf(this.writes)
    this.removeRows = (rows, requires, cancellation) => removeRows(handle, rows, requires, cancellation)
  }

  get(key: Given, options: GetOptions & { readonly index?: string } = noReadOptions): Promise<object | undefined> {
    if ((options as Partial<typeof options> | null)?.index !== undefined) return getByIndex(this.handle, this.removeRows, key, options)
    return this.handle.calls.run('get', rowsIn, () => {
      const read = this.readOptions('get', options)
      const toObject = this.shownWith(options)
      const found = readRow(this.handle, this.handle.rows.toKey(key), read)
      return andThen(found, (row) => (row === undefined ? undefined : toObject(row)))
    })
  }

  getOrThrow(key: Given, options: GetOptions = noReadOptions): Promise<object> {
    return this.handle.calls.run('getOrThrow', rowsIn, () => {
      const { rows } = this.handle
      const read = this.readOptions('getOrThrow', options)
      const toObject = this.shownWith(options)
      const wanted = rows.toKey(key)
      return andThen(readRow(this.handle, wanted, read), (row) => {
        if (row !== undefined) return toObject(row)
        // Not the key that was passed: the caller may have changed it since.
        throw missingRow(this.schema.name, rows.keyOf(wanted), 'Use get() if it may be missing')
      })
    })
  }

  exists(key: Given, options: GetOptions = noReadOptions): Promise<boolean> {
    return this.handle.calls.run('exists', Number, () => {
      const { expiryIndex } = this.schema
      const read = { ...this.readOptions('exists', options, existsRules), columns: expiryIndex < 0 ? [] : [expiryIndex] }
      return andThen(readRow(this.handle, this.handle.rows.toKey(key), read), (row) => row !== undefined)
    })
  }

  getMany(keys: readonly Given[], options: GetOptions = noReadOptions): Promise<(object | undefined)[]> {
    const rowsFound = (found: readonly unknown[]): number => found.filter((row) => row !== undefined).length
    return this.handle.calls.run('getMany', rowsFound, () => {
      const { rows } = this.handle
      const read = this.readOptions('getMany', options)
      const toObject = this.shownWith(options)
      const slots = new Map<string, number>()
      const distinct: Row[] = []
      const places = eachOf('getMany()', keys, (given) => {
        const key = rows.toKey(given)
        const id = rowkeyOf(this.schema, key)
        const slot = slots.get(id) ?? distinct.push(key) - 1
        slots.set(id, slot)
        return slot
      })
      return andThen(distinct.length === 0 ? [] : readRows(this.handle, distinct, read), (found) =>
        places.map((slot) => {
          const row = found[slot]
          return row === undefined ? undefined : toObject(row)
        }),
      )
    })
  }

  insert(row: Given, options: InsertOptions = noOptions): Promise<object> {
    return this.handle.calls.run('insert', oneRow, () => this.writes.insertOrPut('insert', row, options))
  }

  put(row: Given, options: PutOptions = noOptions): Promise<object> {
    return this.handle.calls.run('put', oneRow, () => this.writes.insertOrPut('put', row, options))
  }

  update(key: Given, patch: Given, options: UpdateOptions = noOptions): Promise<object> {
    return this.handle.calls.run('update', oneRow, () => updateRow(this.writes, key, patch, options))
  }

  upsert(row: Given, options: UpsertOptions = noOptions): Promise<object> {
    return this.handle.calls.run('upsert', oneRow, () => upsertRow(this.writes, row, options))
  }

  increment(key: Given, by: Given, options: IncrementOptions = noOptions): Promise<object> {
    return this.handle.calls.run('increment', oneRow, () => incrementRow(this.writes, key, by, options))
  }

  delete(key: Given, options: ChangeOptions = noOptions): Promise<void> {
    return this.handle.calls.run('delete', oneRow, () => this.writes.delete(key, options))
  }

  putMany(rows: Iterable<Given> | AsyncIterable<Given>, options: PutManyOptions = noOptions): Promise<WrittenMany> {
    return this.handle.calls.run('putMany', rowsOf, () => putRows(this.writes, rows, options))
  }

  deleteMany(keys: readonly Given[], options: WriteOptions = noOptions): Promise<WrittenMany> {
    return this.handle.calls.run('deleteMany', rowsOf, () => this.writes.deleteMany(keys, options))
  }

  modify(key: Given, change: (row: never) => unknown, options: ModifyOptions = noOptions): Promise<object> {
    return this.handle.calls.run('modify', oneRow, () => modifyRow(this.writes, key, change, options))
  }

  scan(where: Given, options: AnyScanOptions = {}): RepositoryScan {
    return new RepositoryScan(this.handle, this.removeRows, where, options)
  }

  readAll(options: AnyReadAllOptions = {}): RepositoryReadAll {
    return new RepositoryReadAll(this.handle, options)
  }

  keyOf(row: Given): object {
    return this.handle.rows.keyIn(row)
  }

  parts(count: number, options: CancelOptions = noReadOptions): Promise<string[]> {
    return this.handle.calls.run(
      'parts',
      () => 0,
      () => partsOf(this.handle, count, options),
    )
  }

  encodeKey(key: Given): Uint8Array {
    return this.schema.layout.rowkey(this.handle.rows.toKey(key))
  }

  decodeKey(rowkey: Uint8Array): object {
    const row: Value[] = []
    this.schema.layout.decode(rowkey, row)
    this.handle.rows.computed?.check(row)
    return this.handle.rows.keyOf(row)
  }

  async locate(key: Given, options: CancelOptions = noReadOptions): Promise<unknown> {
    checkOptions('locate()', options, cancelRules)
    const { handle, schema } = this
    const row = handle.rows.toKey(key)
    const locator = locatorOf(handle.mapper.adapter, schema)
    const table = handle.open()
    const { catalog } = isPromise(table) ? await inTime(handle.cancellation(options, 'locate'), table) : table
    return locator.locate(schema, catalog, row)
  }

  /** How a read shows rows. @throws RowkeyError `TTL_UNDECLARED`, `INVALID_OPTION` */
  private shownWith({ withExpiry }: GetOptions): (row: Row) => object {
    const { rows } = this.handle
    if (withExpiry !== true) return rows.toObject
    mustExpire(rows)
    return rows.toExpiring
  }

  /** @throws RowkeyError `INVALID_OPTION` */
  private readOptions(method: string, options: GetOptions, rules: Readonly<Record<string, OptionRule>> = readRules): ReadOptions {
    const { timeout } = this.handle.mapper
    if (options === noReadOptions && timeout === undefined) return strong
    checkOptions(`${method}()`, options, rules)
    const { consistency = 'strong' } = options
    const cancellation = this.handle.cancellation(inMapperTime(options, timeout), method)
    if (cancellation === undefined) return consistency === 'strong' ? strong : { consistency }
    return { consistency, cancellation }
  }
}

/** The table of a repository; undefined for anything else, also for the repository of another copy of this package. */
export function handleOf(repository: unknown): TableHandle | undefined {
  return repository instanceof TableRepository ? repository.handle : undefined
}

const noReadOptions: GetOptions = Object.freeze({})

const oneRow = (): number => 1
const rowsOf = ({ rows }: WrittenMany): number => rows
const rowsIn = (found: object | undefined): number => (found === undefined ? 0 : 1)
