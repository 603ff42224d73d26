import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Mutation, Table } from '@rowkey/store'
import { isRowkeyError, RowkeyError, show } from '@rowkey/codec'
import {
  backOff,
  checkRow,
  getRows,
  inTime,
  isExpired,
  isPromise,
  writeMany,
  writeOne,
  type Cancellation,
  type Sending,
} from '@rowkey/store'
import { beforeWriting } from './cancellation.js'
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
  onProgress?: (progress: LoadProgress) => unknown
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
    await this.send(mutation, this.sending(kind, options, now))
    return this.written(mutation)
  }

  async update(key: Given, patch: Given, options: ChangeOptions): Promise<object> {
    const now = this.context.clock()
    const mutation = this.maker.update(key, patch, options, now)
    await this.send(mutation, this.sending('update', options, now))
    return this.written(mutation)
  }

  delete(key: Given, options: ChangeOptions): Promise<void> | undefined {
    return this.send(this.maker.delete(key, options), this.sending('delete', options, this.context.clock()))
  }

  async putMany(rows: readonly Given[], options: InsertOptions): Promise<void> {
    checkWriteOptions('putMany', options, insertRules)
    const now = this.context.clock()
    const mutations = eachOf('putMany()', rows, (given) => this.maker.insert('put', given, options, now))
    const sending = this.sending('putMany', options, now)
    if (this.checks !== undefined) await beforeWriting(sending.cancellation, this.checks.all(mutations.map(({ row }) => row)))
    await this.sendAll(mutations, sending)
  }

  async deleteMany(keys: readonly Given[], options: WriteOptions): Promise<void> {
    checkWriteOptions('deleteMany', options, plainRules)
    const mutations = eachOf('deleteMany()', keys, (key) => this.maker.delete(key, noOptions))
    await this.sendAll(mutations, this.sending('deleteMany', options, this.context.clock()))
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
    const sending = this.sending('modify', options, this.context.clock())
    for (let attempt = 1; ; attempt++) {
      sending.cancellation?.throwIfOver()
      try {
        return await this.modifyOnce(key, change, sending)
      } catch (error) {
        if (!isRowkeyError(error, 'VERSION_CONFLICT')) throw error
        if (await backOff(this.context.writer, attempt, sending)) continue
        sending.cancellation?.throwIfOver()
        throw error
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
    const { writer } = this.context
    const sending = this.sending('load', options, this.context.clock())
    const table = this.context.table()
    if (isPromise(table)) await beforeWriting(sending.cancellation, table)
    return load(rows, {
      table: this.schema.name,
      writer,
      concurrency,
      onProgress,
      sending,
      mutation: (row) => {
        const mutation = this.maker.insert('put', row as Given, each, this.context.clock())
        const checking = this.checked(mutation)
        return checking === undefined ? mutation : checking.then(() => mutation)
      },
    })
  }

  /** Deletes rows that a scan has read. */
  remove(rows: readonly Row[], cancellation: Cancellation | undefined): Promise<void> {
    const { schema, context } = this
    const mutations = rows.map((row): Mutation => ({ kind: 'delete', schema, row: row.slice(0, schema.keyLength) }))
    const sending = { now: context.clock(), attempts: context.attempts }
    return this.sendAll(mutations, cancellation === undefined ? sending : { ...sending, cancellation })
  }

  /** A write for `db.write()`. */
  operation(kind: TableOperation['kind'], make: (maker: MutationMaker, now: number) => Mutation): TableOperation {
    return new TableOperation(this, this.schema.name, kind, () => make(this.maker, this.context.clock()))
  }

  renewed(mutation: Mutation, now: number): Mutation {
    return this.maker.renewed(mutation, now)
  }

  private async modifyOnce(key: Row, change: (row: object) => unknown, sending: Sending): Promise<object> {
    const { schema, rows, maker, context } = this
    const { cancellation } = sending
    let row = await this.current(key, cancellation)
    if (row[schema.versionAt] === null) {
      const first = maker.firstVersion(key, context.clock())
      await this.send(first, { ...sending, now: context.clock() }, true)
      row = await this.current(key, cancellation)
      if (row[schema.versionAt] === null) throw this.unversioned(key, first.row[schema.versionAt] as string)
    }
    const patch = await inTime(cancellation, Promise.resolve(change(rows.toObject(row))))
    if (patch === undefined) return this.written({ kind: 'put', schema, row })
    const now = context.clock()
    const mutation = maker.patchOf(key, patch as Given, now)
    const whole = row.map((value, i) => (mutation.set.includes(i) ? (mutation.row[i] ?? null) : value))
    checkRow(schema, whole, context.adapter.capabilities)
    const checking = this.checks?.row(whole)
    if (checking !== undefined) await inTime(cancellation, checking)
    await this.send({ ...mutation, version: row[schema.versionAt] as string }, { ...sending, now }, true)
    return this.written(mutation)
  }

  /** The row as it is now. @throws RowkeyError `ROW_MISSING` */
  private async current(key: Row, cancellation: Cancellation | undefined): Promise<Row> {
    const table = this.context.table()
    const { store } = isPromise(table) ? await inTime(cancellation, table) : table
    const read = cancellation === undefined ? {} : { cancellation }
    const [row] = await getRows(this.schema, store, [key], { consistency: 'strong', ...read })
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
  private send(mutation: Mutation, sending: Sending, isChecked = false): Promise<void> | undefined {
    const checking = isChecked ? undefined : this.checked(mutation)
    if (checking !== undefined) return this.sendAfter(checking, mutation, sending)
    const table = this.context.table()
    if (isPromise(table)) return this.sendAfter(table, mutation, sending)
    const answer = writeOne(this.context.writer, mutation, sending)
    return isPromise(answer) ? answer : undefined
  }

  /** Nothing is begun before that is done: a promise that nobody waits for yet could reject unheard. */
  private async sendAfter(before: Promise<unknown>, mutation: Mutation, sending: Sending): Promise<void> {
    await beforeWriting(sending.cancellation, before)
    await this.opened(sending)
    await writeOne(this.context.writer, mutation, sending)
  }

  private async sendAll(mutations: readonly Mutation[], sending: Sending): Promise<void> {
    await this.opened(sending)
    if (mutations.length === 0) sending.cancellation?.throwIfOver()
    else await writeMany(this.context.writer, mutations, sending)
  }

  private async opened({ cancellation }: Sending): Promise<void> {
    const table = this.context.table()
    if (isPromise(table)) await beforeWriting(cancellation, table)
  }

  private sending(method: string, options: WriteOptions, now: number): Sending {
    return sendingOf(options, now, this.context.attempts, method, this.schema.name)
  }
}
