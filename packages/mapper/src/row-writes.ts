import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Mutation, Table } from '@rowkey/store'
import { isRowkeyError, RowkeyError, show } from '@rowkey/codec'
import { checkRow, getRows, isExpired, isPromise, pauseMs, writeMany, writeOne } from '@rowkey/store'
import type { OptionRule } from './check-options.js'
import { load } from './load.js'
import type { LoadProgress } from './load-windows.js'
import { MutationMaker } from './mutation-maker.js'
import { TableOperation, type OperationTarget } from './operation.js'
import type { RepositoryContext } from './repository-context.js'
import { eachOf } from './rows/each-of.js'
import { missingRow } from './rows/missing.js'
import { RowChecks } from './rows/row-checks.js'
import type { RowMapper } from './rows/row-mapper.js'
import {
  checkWriteOptions,
  insertRules,
  isCount,
  noOptions,
  plainRules,
  sendingOf,
  type ChangeOptions,
  type InsertOptions,
  type PutOptions,
  type WriteOptions,
} from './write-options.js'

type Given = Readonly<Record<string, unknown>>

/** The options of a load as the implementation sees them. */
export interface AnyLoadOptions extends InsertOptions {
  concurrency?: number
  onProgress?: (progress: LoadProgress) => void
}

const loadRules: Readonly<Record<keyof AnyLoadOptions, OptionRule>> = {
  ...insertRules,
  concurrency: isCount,
  onProgress: { wants: 'a function', fits: (value) => typeof value === 'function' },
}

/** The writes of a repository. What is refused throws; the repository makes rejections of it. */
export class RowWrites implements OperationTarget {
  readonly mapper: object
  private readonly context: RepositoryContext
  private readonly schema: TableSchema
  private readonly rows: RowMapper
  private readonly maker: MutationMaker
  private readonly checks: RowChecks | undefined

  constructor(context: RepositoryContext, rows: RowMapper) {
    const { schema, adapter, writer } = context
    this.mapper = writer
    this.context = context
    this.schema = schema
    this.rows = rows
    this.maker = new MutationMaker(schema, rows, adapter.capabilities)
    this.checks =
      schema.checks === undefined ? undefined : new RowChecks(schema, schema.checks, rows, context.model, context.classValidator)
  }

  table(): Table | Promise<Table> {
    return this.context.table()
  }

  forget(): void {
    this.context.forget()
  }

  /** @throws RowkeyError `VALIDATION_FAILED` */
  checked(mutation: Mutation): Promise<void> | undefined {
    if (this.checks === undefined || mutation.kind === 'delete') return undefined
    return mutation.kind === 'update' ? this.checks.patch(mutation.row, mutation.set) : this.checks.row(mutation.row)
  }

  /** What a write resolves to. */
  written({ row, kind }: Mutation): object {
    const key = this.rows.keyOf(row)
    const { versionAt } = this.schema
    return versionAt < 0 || kind === 'delete' ? { key } : { key, version: row[versionAt] }
  }

  async put(kind: 'insert' | 'put', given: Given, options: PutOptions): Promise<object> {
    const now = this.context.clock()
    const mutation = this.maker.insert(kind, given, options, now)
    await this.send(mutation, options, now)
    return this.written(mutation)
  }

  async update(key: Given, patch: Given, options: ChangeOptions): Promise<object> {
    const now = this.context.clock()
    const mutation = this.maker.update(key, patch, options, now)
    await this.send(mutation, options, now)
    return this.written(mutation)
  }

  delete(key: Given, options: ChangeOptions): Promise<void> | undefined {
    return this.send(this.maker.delete(key, options), options, this.context.clock())
  }

  async putMany(rows: readonly Given[], options: InsertOptions): Promise<void> {
    checkWriteOptions('putMany', options, insertRules)
    const now = this.context.clock()
    const mutations = eachOf('putMany()', rows, (given) => this.maker.insert('put', given, options, now))
    if (this.checks !== undefined) await this.checks.all(mutations.map(({ row }) => row))
    await this.sendAll(mutations, options, now)
  }

  async deleteMany(keys: readonly Given[], options: WriteOptions): Promise<void> {
    checkWriteOptions('deleteMany', options, plainRules)
    const mutations = eachOf('deleteMany()', keys, (key) => this.maker.delete(key, noOptions))
    await this.sendAll(mutations, options, this.context.clock())
  }

  async modify(given: Given, change: (row: object) => unknown, options: WriteOptions): Promise<object> {
    this.maker.refusePlain('modify')
    this.maker.requireVersion('modify()')
    checkWriteOptions('modify', options, plainRules)
    if (typeof change !== 'function') {
      const message = `modify() takes a function from the row to a patch, not ${show(change)}.`
      throw new RowkeyError('INVALID_OPTION', message, { option: 'change', value: show(change) })
    }
    const key = this.rows.toKey(given)
    const { attempts: most = this.context.attempts, deadline, signal } = options
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted()
      try {
        return await this.modifyOnce(key, change, options)
      } catch (error) {
        if (!isRowkeyError(error, 'VERSION_CONFLICT') || attempt >= most) throw error
        const { writer } = this.context
        const ms = pauseMs(attempt, () => writer.random())
        if (deadline !== undefined && writer.now() + ms >= Number(deadline)) throw error
        await writer.sleep(ms, signal)
      }
    }
  }

  async load(rows: Iterable<Given> | AsyncIterable<Given>, options: AnyLoadOptions): Promise<LoadProgress> {
    checkWriteOptions('load', options, loadRules)
    if (typeof rows !== 'object' || (rows as object | null) === null || !(Symbol.asyncIterator in rows || Symbol.iterator in rows)) {
      throw new RowkeyError('INVALID_VALUE', `load() takes an iterable of rows, not ${show(rows)}.`, { column: '', value: show(rows) })
    }
    const { concurrency = 4, onProgress, ttl, expiresAt } = options
    const each: InsertOptions = { ...(ttl === undefined ? {} : { ttl }), ...(expiresAt === undefined ? {} : { expiresAt }) }
    const { writer, attempts } = this.context
    await this.context.table()
    return load(rows, {
      table: this.schema.name,
      writer,
      concurrency,
      onProgress,
      sending: sendingOf(options, this.context.clock(), attempts),
      mutation: (row) => {
        const mutation = this.maker.insert('put', row as Given, each, this.context.clock())
        const checking = this.checked(mutation)
        return checking === undefined ? mutation : checking.then(() => mutation)
      },
    })
  }

  /** Deletes rows that a scan has read. */
  remove(rows: readonly Row[], { signal, deadline }: Pick<WriteOptions, 'signal' | 'deadline'>): Promise<void> {
    const { schema } = this
    const mutations = rows.map((row): Mutation => ({ kind: 'delete', schema, row: row.slice(0, schema.keyLength) }))
    const options = { ...(signal === undefined ? {} : { signal }), ...(deadline === undefined ? {} : { deadline }) }
    return this.sendAll(mutations, options, this.context.clock())
  }

  /** A write for `db.write()`. */
  operation(kind: TableOperation['kind'], make: (maker: MutationMaker, now: number) => Mutation): TableOperation {
    return new TableOperation(this, this.schema.name, kind, () => make(this.maker, this.context.clock()))
  }

  renewed(mutation: Mutation, now: number): Mutation {
    return this.maker.renewed(mutation, now)
  }

  private async modifyOnce(key: Row, change: (row: object) => unknown, options: WriteOptions): Promise<object> {
    const { schema, rows, maker, context } = this
    let row = await this.current(key, options)
    if (row[schema.versionAt] === null) {
      const first = maker.firstVersion(key, context.clock())
      await this.send(first, options, context.clock(), true)
      row = await this.current(key, options)
      if (row[schema.versionAt] === null) throw this.unversioned(key, first.row[schema.versionAt] as string)
    }
    const patch = await change(rows.toObject(row))
    if (patch === undefined) return this.written({ kind: 'put', schema, row })
    const now = context.clock()
    const mutation = maker.patchOf(key, patch as Given, now)
    const whole = row.map((value, i) => (mutation.set.includes(i) ? (mutation.row[i] ?? null) : value))
    checkRow(schema, whole, context.adapter.capabilities)
    await this.checks?.row(whole)
    await this.send({ ...mutation, version: row[schema.versionAt] as string }, options, now, true)
    return this.written(mutation)
  }

  /** The row as it is now. @throws RowkeyError `ROW_MISSING` */
  private async current(key: Row, { signal, deadline }: WriteOptions): Promise<Row> {
    const { store } = await this.context.table()
    const [row] = await getRows(this.schema, store, [key], {
      consistency: 'strong',
      ...(signal === undefined ? {} : { signal }),
      ...(deadline === undefined ? {} : { deadline: Number(deadline) }),
    })
    if (row === undefined || isExpired(this.schema, row, this.context.clock())) {
      throw missingRow(this.schema.name, this.rows.keyOf(key), 'modify() changes a row that is there; create it with insert() or put()')
    }
    return row
  }

  /** A program whose model has no version wrote over the one that the row was given. */
  private unversioned(key: Row, expected: string): Error {
    const { name: table } = this.schema
    const message =
      `the row of '${table}' that modify() gave a version has none again: a program whose model declares no version writes it. ` +
      'Restart it with a model that does.'
    return new RowkeyError('VERSION_CONFLICT', message, { table, key: this.rows.keyOf(key), expected, current: null })
  }

  /** undefined if it is done already: a store that answers at once costs no promise. */
  private send(mutation: Mutation, options: WriteOptions, now: number, isChecked = false): Promise<void> | undefined {
    const checking = isChecked ? undefined : this.checked(mutation)
    if (checking !== undefined) return this.sendAfter(checking, mutation, options, now)
    const table = this.context.table()
    if (isPromise(table)) return this.sendAfter(table, mutation, options, now)
    const answer = writeOne(this.context.writer, mutation, sendingOf(options, now, this.context.attempts))
    return isPromise(answer) ? answer : undefined
  }

  /** Nothing is begun before that is done: a promise that nobody waits for yet could reject unheard. */
  private async sendAfter(before: Promise<unknown>, mutation: Mutation, options: WriteOptions, now: number): Promise<void> {
    await before
    await this.context.table()
    await writeOne(this.context.writer, mutation, sendingOf(options, now, this.context.attempts))
  }

  private async sendAll(mutations: readonly Mutation[], options: WriteOptions, now: number): Promise<void> {
    await this.context.table()
    if (mutations.length > 0) await writeMany(this.context.writer, mutations, sendingOf(options, now, this.context.attempts))
  }
}
