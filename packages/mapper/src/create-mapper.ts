import type { Model, TableSchema } from '@rowkey/model'
import type { Adapter, Definition, Writer } from '@rowkey/store'
import type { Operation } from './operation.js'
import type { Repository } from './repository-types.js'
import { isTableSchema, renameTable, schemaOf } from '@rowkey/model'
import { defaultAttempts, ensureTable, inTime } from '@rowkey/store'
import { RowkeyError, show } from '@rowkey/codec'
import { definitionOf, type AddressOf, type DefinitionOf, type Located } from './native.js'
import { cancellationOf, cancelRules, type CancelOptions } from './cancellation.js'
import { checkOptions } from './check-options.js'
import { checkMapperOptions, type MapperOptions } from './mapper-options.js'
import { OpenTables } from './open-tables.js'
import { hmacSeal, noSeal, type CursorSeal } from './cursor-seal.js'
import { purgeExpired, type PurgeOptions } from './purge-expired.js'
import { TableRepository } from './repository.js'
import { observed } from './call-event.js'
import { ignore } from './observer.js'
import { writeOperations, type OperationResult } from './write-operations.js'
import { noOptions, type BatchOptions } from './write-options.js'

/** A store with typed tables on it. */
export interface Mapper<A extends Adapter = Adapter> {
  readonly adapter: A
  /** The rows of a model's table. @throws RowkeyError `INVALID_SCHEMA`, `STORE_LACKS` */
  repository<M extends Model>(model: M): Repository<M> & Located<M, AddressOf<A>>
  /**
   * Creates tables, or adds new value columns that are nullable or have a constant default. @throws RowkeyError `SCHEMA_MISMATCH`;
   * `INVALID_OPTION` if it is given no list; `DEADLINE`, after which the store may still be at work on it
   */
  ensureTables(models: readonly Model[], options?: CancelOptions): Promise<void>
  /**
   * What `ensureTables` would execute to create a model's table, with comments and warnings, in stores that have definitions of tables.
   * @throws RowkeyError `STORE_LACKS` elsewhere
   * @example
   * ```ts
   * console.log(db.ddl(LogEvent).text) // CREATE TABLE …
   * ```
   */
  ddl(model: Model): DefinitionOf<A>
  /** Drops a model's table with all its rows. */
  dropTable(model: Model, options?: CancelOptions): Promise<void>
  /**
   * Writes operations of `repository.op`, of any tables; with `atomic` all of them or none. All are checked before the first is
   * written. Resolves to the key, and version where there is one, of each.
   *
   * @throws RowkeyError without `atomic` `WRITE_INCOMPLETE`; with it `ATOMIC_SCOPE`, or the error of the first operation whose condition
   * fails, whose place is `details.index`
   * @example
   * ```ts
   * await db.write([orders.op.insert(order), stock.op.update({ sku }, { count }, { ifVersion })], { atomic: true })
   * ```
   */
  write(operations: readonly Operation[], options?: BatchOptions): Promise<OperationResult[]>
  /**
   * Deletes expired rows of a model's table, up to `limit` (1,000), and resolves to their number; call it until that is 0. Nothing
   * does so by itself. @throws RowkeyError `TTL_UNDECLARED`, `STORE_LACKS`
   */
  purgeExpired(model: Model, options?: PurgeOptions): Promise<number>
  /** Closes what the adapter opened. */
  close(): Promise<void>
}

/**
 * Puts typed repositories on an adapter.
 *
 * @throws RowkeyError `INVALID_OPTION` for an unknown or unfit option, or for something that is no adapter
 * @example
 * ```ts
 * const db = createMapper(memory(), { prefix: 'dev_' })
 * await db.ensureTables([LogEvent])
 * const logs = db.repository(LogEvent)
 * ```
 */
export function createMapper<A extends Adapter>(adapter: A, options: MapperOptions = {}): Mapper<A> {
  checkMapperOptions(options)
  if (typeof (adapter as Partial<Adapter> | undefined)?.describeTable !== 'function') {
    const message = `createMapper() takes an adapter, not ${show(adapter)}. Call its function, as in createMapper(memory()).`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'adapter', value: show(adapter) })
  }
  return new AdapterMapper(adapter, options)
}

class AdapterMapper<A extends Adapter> implements Mapper<A> {
  readonly adapter: A
  private readonly options: MapperOptions
  private readonly seal: CursorSeal
  private readonly writer: Writer
  private readonly attempts: number
  private readonly schemas = new Map<TableSchema, TableSchema>()
  private readonly tables: OpenTables

  constructor(adapter: A, options: MapperOptions) {
    this.adapter = adapter
    this.options = options
    this.tables = new OpenTables(adapter)
    const { sleep, random = Math.random, attempts = defaultAttempts, unknown = 'report' } = options.retry ?? {}
    this.attempts = attempts
    this.writer = {
      adapter,
      storeOf: (schema) => this.tables.peek(schema)?.store,
      random,
      sleep,
      resendsUnknown: unknown === 'resend',
    }
    this.seal = options.cursorSecret === undefined ? noSeal : hmacSeal(options.cursorSecret)
  }

  repository<M extends Model>(model: M): Repository<M> & Located<M, AddressOf<A>> {
    const schema = this.schemaFor(model)
    this.refuseLack(schema)
    const repository = new TableRepository({
      adapter: this.adapter,
      schema,
      model: isTableSchema(model) ? undefined : model,
      clock: () => this.now(),
      onCall: this.options.onCall,
      seal: this.seal,
      writer: this.writer,
      attempts: this.attempts,
      classValidator: this.options.classValidator,
      table: () => this.tables.get(schema),
      forget: () => this.tables.forget(schema),
    })
    return repository as unknown as Repository<M> & Located<M, AddressOf<A>>
  }

  async ensureTables(models: readonly Model[], options: CancelOptions = noOptions): Promise<void> {
    checkOptions('ensureTables()', options, cancelRules)
    const given: unknown = models
    if (!Array.isArray(given)) {
      const message = `ensureTables() takes a list of models, not ${show(given)}. Write ensureTables([…]).`
      throw new RowkeyError('INVALID_OPTION', message, { option: 'models', value: show(given) })
    }
    // All are compiled before the first table is touched.
    const schemas = models.map((model) => this.schemaFor(model))
    const names = schemas.map(({ name }) => name).join(', ')
    const cancellation = cancellationOf(options, () => this.now(), 'ensureTables', names)
    for (const schema of schemas) {
      cancellation?.throwIfOver()
      const { changed } = await inTime(cancellation, ensureTable(this.adapter, schema, { cancellation }))
      if (changed) this.tables.forget(schema)
    }
  }

  ddl(model: Model): DefinitionOf<A> {
    const definition: Definition = definitionOf(this.adapter, this.schemaFor(model))
    return definition as DefinitionOf<A>
  }

  async dropTable(model: Model, options: CancelOptions = noOptions): Promise<void> {
    checkOptions('dropTable()', options, cancelRules)
    const schema = this.schemaFor(model)
    const cancellation = cancellationOf(options, () => this.now(), 'dropTable', schema.name)
    cancellation?.throwIfOver()
    this.tables.forget(schema)
    await inTime(cancellation, this.adapter.dropTable(schema.name, { cancellation }))
  }

  write(operations: readonly Operation[], options: BatchOptions = noOptions): Promise<OperationResult[]> {
    const rows = (results: OperationResult[]): number => results.length
    return observed(this.options.onCall, { table: tablesOf(operations), method: 'write', rows }, () =>
      writeOperations(this.writer, this.attempts, this.now(), operations, options),
    )
  }

  async purgeExpired(model: Model, options: PurgeOptions = {}): Promise<number> {
    const schema = this.schemaFor(model)
    return observed(this.options.onCall, { table: schema.name, method: 'purgeExpired', rows: (count) => count }, () =>
      purgeExpired(this.adapter.name, schema, () => this.tables.get(schema), this.now(), options),
    )
  }

  close(): Promise<void> {
    this.tables.clear()
    return this.adapter.close()
  }

  /** Whole milliseconds: clocks of higher resolution give fractions, which no column holds. */
  private now(): number {
    const given: unknown = (this.options.clock ?? Date.now)()
    const now = typeof given === 'number' ? Math.floor(given) : NaN
    if (Number.isSafeInteger(now)) return now
    ignore(given)
    const message = `clock() gave ${show(given)}. Return epoch milliseconds.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'clock', value: show(given) })
  }

  private schemaFor(model: Model): TableSchema {
    const schema = schemaOf(model)
    const { prefix = '' } = this.options
    const known = this.schemas.get(schema)
    if (known !== undefined) return known
    const named = prefix === '' ? schema : renameTable(schema, prefix + schema.name)
    this.schemas.set(schema, named)
    return named
  }

  private refuseLack({ name, writes, expiryAt, versionAt }: TableSchema): void {
    const { conditions } = this.adapter.capabilities
    const adapter = this.adapter.name
    if (writes === 'plain' || conditions === 'version') return
    if (conditions === 'presence') {
      if (expiryAt < 0 && versionAt < 0) return
      const needs = versionAt < 0 ? 'expiry in its conditions' : 'versions'
      throw new RowkeyError(
        'STORE_LACKS',
        `${adapter} does not look at ${needs}, which '${name}' needs. Leave out ttl and version there.`,
        {
          table: name,
          capability: 'conditions',
          adapter,
        },
      )
    }
    throw new RowkeyError(
      'STORE_LACKS',
      `${adapter} has no conditional writes, which '${name}' needs. Declare the table with writes: 'plain'.`,
      { table: name, capability: 'conditions', adapter },
    )
  }
}

/** The tables of operations, for whoever watches calls; what is none is refused later. */
function tablesOf(operations: readonly Operation[]): string {
  if (!Array.isArray(operations)) return ''
  return [...new Set(operations.map((operation: Partial<Operation> | null) => operation?.table ?? ''))].join(', ')
}
