// Tested by tables.test.ts.
/// <reference lib="esnext.disposable" preserve="true" />
import { isTableSchema, type Model, renameTable, schemaOf, type TableSchema } from '#model'
import {
  type Adapter,
  type Cancellation,
  type Definition,
  inTime,
  type Partition,
  type PartitionRange,
  type RangeChanges,
} from '#store/adapter'
import type { RepositoryOf } from './repository-types.js'
import { checkForStore, defaultAttempts, ensureTable, indexNamed, turnsOf, type Writer } from '#store/engine'
import { RowkeyError } from '#codec'
import { show, showNames } from '#codec/internal'
import { definitionOf, type AddressOf, type DefinitionOf } from './native.js'
import { cancellationOf, cancelRules, type CancelOptions } from './call/cancellation.js'
import { checkOptions } from './call/check-options.js'
import { checkMapperOptions, type MapperOptions } from './mapper-options.js'
import { Sender } from './table/sender.js'
import { refuseLack } from './table/refuse-lack.js'
import { TableCache } from './table/table-cache.js'
import { hmacSeal, noSeal } from './table/cursor-seal.js'
import { changeRanges, partitions, rotate, type PartitionsOptions, type RotateOptions } from './partitions.js'
import { purgeExpired, type PurgeOptions } from './purge-expired.js'
import { TableRepository } from './repository.js'
import { ignore } from './call/observer.js'
import { buildIndex, dropIndex, indexMismatch, type BuildIndexOptions } from './indexes/build-index.js'
import { verifyIndex, type IndexReport, type VerifyIndexOptions } from './indexes/verify-index.js'
import { TableHandle, type MapperContext } from './table/table-handle.js'
import { writeOperations, type Operation, type WrittenOperations } from './write/operations.js'
import { noOptions, type BatchOptions } from './write/write-options.js'

/** Typed tables on a store. */
export interface Mapper<A extends Adapter = Adapter> {
  readonly adapter: A
  /** The rows of a model's table. @throws RowkeyError `INVALID_SCHEMA`, `NOT_SUPPORTED` */
  repository<M extends Model>(model: M): RepositoryOf<M, AddressOf<A>>
  /**
   * Creates tables, or adds new value columns that are nullable or have a constant default. @throws RowkeyError `SCHEMA_MISMATCH`;
   * `INVALID_OPTION` if `models` is not a list; `DEADLINE`, after which the store may still be working on it
   */
  ensureTables(models: readonly Model[], options?: CancelOptions): Promise<void>
  /**
   * What `ensureTables` would execute to create a model's table, with comments and warnings, in stores that have definitions of tables.
   * @throws RowkeyError `NOT_SUPPORTED` elsewhere
   * @example
   * ```ts
   * console.log(db.ddl(LogEvent).text) // CREATE TABLE …
   * ```
   */
  ddl(model: Model): DefinitionOf<A>
  /** Drops the tables of models with all their rows. @throws RowkeyError `INVALID_OPTION` if `models` is not a list */
  dropTables(models: readonly Model[], options?: CancelOptions): Promise<void>
  /**
   * Writes operations of `repository.ops`, for any tables; with `atomic` all of them or none. All are checked before the first is written.
   * Resolves to how many there are, and to the key of each, with its version if the table has versions.
   *
   * @throws RowkeyError without `atomic` `WRITE_INCOMPLETE`; with it `ATOMIC_SCOPE`, or the error of the first operation whose condition
   * fails, with its position in `details.index`
   * @example
   * ```ts
   * await db.write([orders.ops.insert(order), stock.ops.update({ sku }, { count }, { if: { rev } })], { atomic: true })
   * ```
   */
  write(operations: readonly Operation[], options?: BatchOptions): Promise<WrittenOperations>
  /**
   * Deletes the rows of a model's table that have expired when it is called, and resolves to their number. A row that is put again in the
   * meantime stays; in a table with `writes: 'plain'`, Cassandra may count it. It deletes in steps, so it can be aborted, and what an aborted
   * call has deleted stays deleted. Nothing calls it for you. @throws RowkeyError `TTL_UNDECLARED`, `NOT_SUPPORTED`
   */
  purgeExpired(model: Model, options?: PurgeOptions): Promise<number>
  /**
   * The partitions of a model's table, in stores that cut tables by hash and by ranges: their ranges, servers and sizes.
   * @throws RowkeyError `NOT_SUPPORTED` elsewhere
   */
  partitions(model: Model, options?: PartitionsOptions): Promise<readonly Partition[]>
  /** Adds a range to a model's table. @throws RowkeyError `STORE_REFUSED` if it overlaps another one; `NOT_SUPPORTED` */
  addRange(model: Model, range: PartitionRange, options?: CancelOptions): Promise<void>
  /** Drops a range that `partitions()` tells, with all its rows. @throws RowkeyError `STORE_REFUSED` if there is none; `NOT_SUPPORTED` */
  dropRange(model: Model, range: PartitionRange, options?: CancelOptions): Promise<void>
  /**
   * Adds the ranges that a model wants by now, and drops those that it keeps no longer with all their rows, in one step. Returns what it changes.
   * What is wanted by now is told by the clock of the mapper, and rows that are dropped do not come back: call it regularly where the clock is right, and
   * first with `dryRun`.
   * @throws RowkeyError `NOT_SUPPORTED`
   * @example
   * ```ts
   * const { add, drop } = await db.rotate(Metrics, { dryRun: true })
   * ```
   */
  rotate(model: Model, options?: RotateOptions): Promise<RangeChanges>
  /**
   * Puts the entries of all rows of a model's table into an index, and makes it readable. Needed once, after `ensureTables()` has given an index to a table
   * that exists, when all programs that write to the table have the model with the index. Resolves to the number of rows.
   * @throws RowkeyError `INDEX_NOT_READABLE` if `ensureTables()` was not called
   */
  buildIndex(model: Model, index: string, options?: BuildIndexOptions): Promise<number>
  /**
   * Compares the entries of an index with the rows of its table, and repairs it if it is asked to. Call it regularly with `repair` where indexed columns
   * change: nothing else removes the entries of former values.
   * @throws RowkeyError `INVALID_OPTION`
   * @example
   * ```ts
   * const { stale, missing } = await db.verifyIndex(Order, 'byBuyer', { repair: true })
   * ```
   */
  verifyIndex(model: Model, index: string, options?: VerifyIndexOptions): Promise<IndexReport>
  /** Drops the entries of an index for good: its name is not used again. The model may have it until all programs run without it. */
  dropIndex(model: Model, index: string, options?: CancelOptions): Promise<void>
  /** Closes what the adapter opened. */
  close(): Promise<void>
  /** The same, at the end of a block: `await using db = createMapper(…)`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Creates typed repositories on an adapter.
 *
 * @throws RowkeyError `INVALID_OPTION` for an unknown or invalid option, or for something that is not an adapter
 * @example
 * ```ts
 * const db = createMapper(memory(), { prefix: 'dev_' })
 * await db.ensureTables([LogEvent])
 * const logs = db.repository(LogEvent)
 * ```
 */
export function createMapper<A extends Adapter>(adapter: A, options: MapperOptions = {}): Mapper<A> {
  return createPausing(adapter, options, {})
}

/** The same with pauses that a test can do without. */
export function createPausing<A extends Adapter>(adapter: A, options: MapperOptions, pauses: Pauses): Mapper<A> {
  checkMapperOptions(options)
  if (typeof (adapter as Partial<Adapter> | undefined)?.describeTable !== 'function') {
    const message = `createMapper() takes an adapter, not ${show(adapter)}. Call its function, as in createMapper(memory()).`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'adapter', value: show(adapter) })
  }
  return new AdapterMapper(adapter, options, pauses)
}

/** How a write pauses before it is sent again. */
export interface Pauses {
  /** Waits, and rejects with the reason of an aborted signal; default a timer. */
  readonly sleep?: Writer['sleep']
  /** Returns a number from 0 up to 1; default `Math.random`. */
  readonly random?: Writer['random']
}

class AdapterMapper<A extends Adapter> implements Mapper<A> {
  readonly adapter: A
  private readonly options: MapperOptions
  private readonly context: MapperContext
  /** The schemas of this mapper, with its prefix, by those of the models. */
  private readonly schemas = new WeakMap<TableSchema, TableSchema>()

  constructor(adapter: A, options: MapperOptions, { sleep, random = Math.random }: Pauses) {
    const { cursorSecret, onCall, classValidator, classTransformer, validatorGroups, retry = {} } = options
    const { attempts = defaultAttempts, onUnknown = 'report' } = retry
    const tables = new TableCache(adapter, () => this.now())
    this.adapter = adapter
    this.options = options
    this.context = {
      adapter,
      tables,
      clock: () => this.now(),
      timeout: options.timeout,
      onCall,
      seal: cursorSecret === undefined ? noSeal : hmacSeal(cursorSecret),
      sender: new Sender(
        {
          adapter,
          turns: turnsOf(adapter),
          storeOf: (schema) => tables.peek(schema)?.store,
          random,
          sleep,
          resendsUnknown: onUnknown === 'resend',
        },
        tables,
        () => this.now(),
      ),
      attempts,
      validation: { classValidator, classTransformer, groups: validatorGroups },
    }
  }

  repository<M extends Model>(model: M): RepositoryOf<M, AddressOf<A>> {
    const schema = this.schemaFor(model)
    refuseLack(this.adapter, schema)
    // The class is compared with these types where it is declared, as far as they do not depend on M.
    const repository = new TableRepository(new TableHandle(this.context, schema, isTableSchema(model) ? undefined : model))
    return repository as unknown as RepositoryOf<M, AddressOf<A>>
  }

  async ensureTables(models: readonly Model[], options: CancelOptions = noOptions): Promise<void> {
    await this.eachTable('ensureTables', models, options, async (schema, cancellation) => {
      // The tables of the entries first: a catalog never promises too much.
      const ensure = async (table: TableSchema): Promise<void> => {
        const { changed } = await inTime(cancellation, ensureTable(this.adapter, table, { cancellation }, this.context.clock))
        if (changed) this.context.tables.forget(table)
      }
      const states = schema.indexes.length === 0 ? {} : (await inTime(cancellation, this.adapter.describeTable(schema.name)))?.indexes
      for (const index of schema.indexes) {
        if (states?.[index.name] === 'dropped') continue
        await ensure(index.schema).catch((error: unknown) => {
          throw indexMismatch(schema, index, error)
        })
      }
      await ensure(schema)
    })
  }

  ddl(model: Model): DefinitionOf<A> {
    const definition: Definition = definitionOf(this.adapter, this.schemaFor(model))
    return definition as DefinitionOf<A>
  }

  async dropTables(models: readonly Model[], options: CancelOptions = noOptions): Promise<void> {
    await this.eachTable('dropTables', models, options, async (schema, cancellation) => {
      for (const { name } of [schema, ...schema.indexes.map((index) => index.schema)]) {
        await inTime(cancellation, this.adapter.dropTable(name, { cancellation }))
      }
      for (const table of [schema, ...schema.indexes.map((index) => index.schema)]) this.context.tables.forget(table)
    })
  }

  write(operations: readonly Operation[], options: BatchOptions = noOptions): Promise<WrittenOperations> {
    return writeOperations(this.context, operations, options)
  }

  async purgeExpired(model: Model, options: PurgeOptions = noOptions): Promise<number> {
    const handle = new TableHandle(this.context, this.schemaFor(model), undefined)
    return handle.calls.run('purgeExpired', Number, () => purgeExpired(handle, options))
  }

  async partitions(model: Model, options: PartitionsOptions = noOptions): Promise<readonly Partition[]> {
    return partitions(this.context, this.schemaFor(model), options)
  }

  async addRange(model: Model, range: PartitionRange, options: CancelOptions = noOptions): Promise<void> {
    return changeRanges(this.context, this.schemaFor(model), 'addRange', range, options)
  }

  async dropRange(model: Model, range: PartitionRange, options: CancelOptions = noOptions): Promise<void> {
    return changeRanges(this.context, this.schemaFor(model), 'dropRange', range, options)
  }

  async rotate(model: Model, options: RotateOptions = noOptions): Promise<RangeChanges> {
    return rotate(this.context, this.schemaFor(model), options)
  }

  async buildIndex(model: Model, index: string, options: BuildIndexOptions = noOptions): Promise<number> {
    const handle = new TableHandle(this.context, this.schemaFor(model), undefined)
    return handle.calls.run('buildIndex', Number, () => buildIndex(handle, indexNamed(handle.schema, index), options))
  }

  async verifyIndex(model: Model, index: string, options: VerifyIndexOptions = noOptions): Promise<IndexReport> {
    const handle = new TableHandle(this.context, this.schemaFor(model), undefined)
    const rowsOf = ({ rows }: IndexReport): number => rows
    return handle.calls.run('verifyIndex', rowsOf, () => verifyIndex(handle, indexNamed(handle.schema, index), options))
  }

  async dropIndex(model: Model, index: string, options: CancelOptions = noOptions): Promise<void> {
    const handle = new TableHandle(this.context, this.schemaFor(model), undefined)
    return dropIndex(handle, indexNamed(handle.schema, index), options)
  }

  close(): Promise<void> {
    this.context.tables.clear()
    return this.adapter.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Changes tables one after the other. @throws RowkeyError `INVALID_OPTION`, and what makes a model unusable, before the first one is touched */
  private async eachTable(
    method: string,
    models: readonly Model[],
    options: CancelOptions,
    change: (schema: TableSchema, cancellation: Cancellation | undefined) => Promise<void>,
  ): Promise<void> {
    checkOptions(`${method}()`, options, cancelRules)
    const given: unknown = models
    if (!Array.isArray(given)) {
      const message = `${method}() takes a list of models, not ${show(given)}. Write ${method}([…]).`
      throw new RowkeyError('INVALID_OPTION', message, { option: 'models', value: show(given) })
    }
    const schemas = models.map((model) => this.schemaFor(model))
    const names = showNames(schemas.map(({ name }) => name))
    const cancellation = cancellationOf(options, this.context.clock, method, names)
    for (const schema of schemas) {
      cancellation?.throwIfOver()
      await change(schema, cancellation)
    }
  }

  /** Whole milliseconds: clocks of higher resolution return fractions, which no column can hold. */
  private now(): number {
    const given: unknown = (this.options.clock ?? Date.now)()
    const now = typeof given === 'number' ? Math.floor(given) : NaN
    if (Number.isSafeInteger(now)) return now
    ignore(given)
    const message = `clock() returned ${show(given)}. Return epoch milliseconds.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'clock', value: show(given) })
  }

  private schemaFor(model: Model): TableSchema {
    const schema = schemaOf(model)
    const { prefix = '' } = this.options
    const known = this.schemas.get(schema)
    if (known !== undefined) return known
    const named = prefix === '' ? schema : renameTable(schema, prefix + schema.name)
    checkForStore(this.adapter, named)
    for (const index of named.indexes) checkForStore(this.adapter, index.schema)
    this.schemas.set(schema, named)
    return named
  }
}
