import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Capabilities, Mutation } from '@rowkey/store'
import { RowkeyError } from '@rowkey/codec'
import { checkKey, checkRow } from '@rowkey/store'
import { mapperError } from './errors.js'
import type { RowMapper } from './rows/row-mapper.js'
import { newUlid } from './rows/ulid.js'
import { changeRules, checkWriteOptions, expiryOf, insertRules, putRules, type ChangeOptions, type PutOptions } from './write-options.js'

type Given = Readonly<Record<string, unknown>>

/** Makes mutations of what an application gives, and refuses what must not be written. Nothing is sent here. */
export class MutationMaker {
  private readonly schema: TableSchema
  private readonly rows: RowMapper
  private readonly capabilities: Capabilities

  constructor(schema: TableSchema, rows: RowMapper, capabilities: Capabilities) {
    this.schema = schema
    this.rows = rows
    this.capabilities = capabilities
  }

  /** A whole row, with defaults, expiry and a new version. */
  insert(kind: 'insert' | 'put', given: Given, options: PutOptions, now: number): Mutation {
    if (kind === 'insert') this.refusePlain('insert')
    checkWriteOptions(kind, options, kind === 'insert' ? insertRules : putRules)
    const row = this.rows.toRow(given, now, expiryOf(this.schema, options, now))
    checkRow(this.schema, row, this.capabilities)
    return this.conditional(kind, { kind, schema: this.schema, row }, options)
  }

  /** Some columns, and a new version; the expiry stays. */
  update(key: Given, patch: Given, options: ChangeOptions, now: number): Mutation & { readonly kind: 'update' } {
    this.refusePlain('update')
    checkWriteOptions('update', options, changeRules)
    return this.conditional('update', this.patchOf(this.rows.toKey(key), patch, now), options)
  }

  /** The same for a key that is a row already. */
  patchOf(key: Row, patch: Given, now: number): Mutation & { readonly kind: 'update' } {
    const { row, set } = this.rows.toPatch(key, patch, now)
    checkRow(this.schema, row, this.capabilities)
    return { kind: 'update', schema: this.schema, row, set }
  }

  /**
   * The same as a write of its own, for an operation that is written again: no version comes back, and a store that recognises a
   * mutation by its object must not take it for a repetition of the first.
   */
  renewed<T extends Mutation>(mutation: T, now: number): T {
    const { versionAt } = this.schema
    if (versionAt < 0 || mutation.kind === 'delete') return { ...mutation }
    return { ...mutation, row: mutation.row.with(versionAt, newUlid(now)) }
  }

  /** A version for a row that was written before its table had them. */
  firstVersion(key: Row, now: number): Mutation {
    const { columns, versionAt, keyLength } = this.schema
    const version = newUlid(now)
    const row = columns.map((_, i) => (i < keyLength ? (key[i] ?? null) : i === versionAt ? version : null))
    return { kind: 'update', schema: this.schema, row, set: [versionAt] }
  }

  delete(key: Given, options: ChangeOptions): Mutation {
    checkWriteOptions('delete', options, changeRules)
    const row = this.rows.toKey(key)
    checkKey(this.schema, row, this.capabilities)
    return this.conditional('delete', { kind: 'delete', schema: this.schema, row }, options)
  }

  /** @throws RowkeyError `WRITES_PLAIN` */
  refusePlain(method: string): void {
    const { name, writes } = this.schema
    if (writes === 'conditional') return
    throw new RowkeyError(
      'WRITES_PLAIN',
      `${method} looks before it writes, and '${name}' is declared with writes: 'plain'. Use put or delete, or declare it 'conditional'.`,
      { table: name, method },
    )
  }

  /** @throws RowkeyError `VERSION_REQUIRED` */
  requireVersion(what: string): void {
    const { name, versionAt } = this.schema
    if (versionAt >= 0) return
    throw mapperError(
      'VERSION_REQUIRED',
      `${what} needs versions, and rows of '${name}' have none. Declare one with @Version() or { version }, and add the column with ensureTables().`,
      { table: name },
    )
  }

  private conditional<T extends Mutation>(method: string, mutation: T, { ifVersion }: ChangeOptions): T {
    if (ifVersion === undefined) return mutation
    this.requireVersion(`ifVersion of ${method}()`)
    return { ...mutation, version: ifVersion }
  }
}
