import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Capabilities, Mutation } from '@rowkey/store/adapter'
import { RowkeyError } from '@rowkey/codec'
import { checkKey, checkRow } from '@rowkey/store/engine'
import { mapperError } from '../call/errors.js'
import { RowChecks } from '../rows/row-checks.js'
import type { RowMapper } from '../rows/row-mapper.js'
import { newUlid } from '../rows/ulid.js'
import type { TableHandle } from '../table/table-handle.js'
import { changeRules, checkWriteOptions, expiryOf, insertRules, putRules, type ChangeOptions, type PutOptions } from './write-options.js'

type Given = Readonly<Record<string, unknown>>

/** Turns what an application writes into mutations, and refuses what must not be written. Nothing is sent here. */
export class Preparer {
  private readonly schema: TableSchema
  private readonly rows: RowMapper
  private readonly capabilities: Capabilities
  private readonly checks: RowChecks | undefined

  constructor({ schema, rows, model, mapper: { adapter, classValidator } }: TableHandle) {
    this.schema = schema
    this.rows = rows
    this.capabilities = adapter.capabilities
    this.checks = schema.checks === undefined ? undefined : new RowChecks(schema, schema.checks, rows, model, classValidator)
  }

  /** Whether the model has checks. */
  get hasChecks(): boolean {
    return this.checks !== undefined
  }

  /** A whole row, with defaults, expiry and a new version. */
  prepareRow(kind: 'insert' | 'put', given: Given, options: PutOptions, now: number): Mutation {
    if (kind === 'insert') this.refusePlain('insert')
    checkWriteOptions(kind, options, kind === 'insert' ? insertRules : putRules)
    const row = this.rows.toRow(given, now, expiryOf(this.schema, options, now))
    const encoded = checkRow(this.schema, row, this.capabilities)
    return this.withCondition(kind, { kind, schema: this.schema, row, key: encoded }, options)
  }

  /** Some columns, and a new version; the expiry stays. */
  prepareUpdate(key: Given, patch: Given, options: ChangeOptions, now: number): Mutation & { readonly kind: 'update' } {
    this.refusePlain('update')
    checkWriteOptions('update', options, changeRules)
    return this.withCondition('update', this.preparePatch(this.rows.toKey(key), patch, now), options)
  }

  /** The same for a key that is a row already. */
  preparePatch(key: Row, patch: Given, now: number): Mutation & { readonly kind: 'update' } {
    const { row, set } = this.rows.toPatch(key, patch, now)
    return { kind: 'update', schema: this.schema, row, key: checkRow(this.schema, row, this.capabilities), set }
  }

  /** Runs the checks of the model on what a mutation writes; undefined if they are already done. @throws RowkeyError `VALIDATION_FAILED` */
  check(mutation: Mutation): Promise<void> | undefined {
    if (this.checks === undefined || mutation.kind === 'delete') return undefined
    return mutation.kind === 'update' ? this.checks.patch(mutation.row, mutation.set) : this.checks.row(mutation.row)
  }

  /** The same for many whole rows; an error names the index of its row. */
  checkAll(mutations: readonly Mutation[]): Promise<void> | undefined {
    return this.checks?.all(mutations.map(({ row }) => row))
  }

  /** The same for a whole row that a patch makes, with its sizes. */
  checkPatched(row: Row): Promise<void> | undefined {
    checkRow(this.schema, row, this.capabilities)
    return this.checks?.row(row)
  }

  /**
   * A new mutation for an operation that is written again. It gets a new version, and a store that recognises a mutation by its object must
   * not treat it as a repetition of the first.
   */
  renewed<T extends Mutation>(mutation: T, now: number): T {
    const { versionIndex } = this.schema
    if (versionIndex < 0 || mutation.kind === 'delete') return { ...mutation }
    return { ...mutation, row: mutation.row.with(versionIndex, newUlid(now)) }
  }

  /** A version for a row that was written before its table had them. */
  firstVersion(key: Row, now: number): Mutation {
    const { columns, versionIndex, keyLength } = this.schema
    const version = newUlid(now)
    const row = columns.map((_, i) => (i < keyLength ? (key[i] ?? null) : i === versionIndex ? version : null))
    return { kind: 'update', schema: this.schema, row, set: [versionIndex] }
  }

  prepareDelete(key: Given, options: ChangeOptions): Mutation {
    checkWriteOptions('delete', options, changeRules)
    const row = this.rows.toKey(key)
    const encoded = checkKey(this.schema, row, this.capabilities)
    return this.withCondition('delete', { kind: 'delete', schema: this.schema, row, key: encoded }, options)
  }

  /** @throws RowkeyError `PLAIN_WRITES_ONLY` */
  refusePlain(method: string): void {
    const { name, writes } = this.schema
    if (writes === 'conditional') return
    throw new RowkeyError(
      'PLAIN_WRITES_ONLY',
      `${method}() is a conditional write, but '${name}' is declared with writes: 'plain'. Use put() or delete(), or declare it 'conditional'.`,
      { table: name, method },
    )
  }

  /** @throws RowkeyError `VERSION_REQUIRED` */
  requireVersion(what: string): void {
    const { name, versionIndex } = this.schema
    if (versionIndex >= 0) return
    throw mapperError(
      'VERSION_REQUIRED',
      `${what} needs versions, and rows of '${name}' have none. Declare one with @Version() or { version }, and add the column with ensureTables().`,
      { table: name },
    )
  }

  private withCondition<T extends Mutation>(method: string, mutation: T, { ifVersion }: ChangeOptions): T {
    if (ifVersion === undefined) return mutation
    this.requireVersion(`ifVersion of ${method}()`)
    return { ...mutation, version: ifVersion }
  }
}
