// Tested by writes.test.ts and writes-changes.test.ts.
import { type Row, RowkeyError, type Value } from '#codec'
import type { SchemaColumn, TableSchema } from '#model'
import { isExact } from '#model/internal'
import type { Addition, Capabilities, Mutation } from '#store/adapter'
import { checkKey, checkRow, compileConditions, outOfRange, sumOf } from '#store/engine'
import { mapperError } from '../call/errors.js'
import { expiresOf } from '../rows/row-expiry.js'
import { rowChecksOf, type RowChecks } from '../rows/row-checks.js'
import type { RowMapper } from '../rows/row-mapper.js'
import { newUlid } from '../rows/ulid.js'
import type { TableHandle } from '../table/table-handle.js'
import { lackedPart } from '../table/entries.js'
import { additionsOf } from './amounts.js'
import {
  checkWriteOptions,
  deleteRules,
  expiresIn,
  expiryOf,
  incrementRules,
  insertRules,
  putRules,
  updateRules,
  upsertRules,
  type ChangeOptions,
  type Expires,
  type IfOptions,
  type IncrementOptions,
  type ModifyOptions,
  type PutOptions,
  type UpdateOptions,
  type UpsertOptions,
} from './write-options.js'

type Given = Readonly<Record<string, unknown>>
/** A change of an existing row. */
export type Update = Extract<Mutation, { kind: 'update' }>

/** Turns what an application writes into mutations, and refuses what must not be written. Nothing is sent here. */
export class Preparer {
  private readonly schema: TableSchema
  private readonly rows: RowMapper
  private readonly capabilities: Capabilities
  private readonly checks: RowChecks | undefined
  private readonly adapter: string

  constructor({ schema, rows, mapper: { adapter, validation } }: TableHandle) {
    this.schema = schema
    this.rows = rows
    this.capabilities = adapter.capabilities
    this.adapter = adapter.name
    this.checks = rowChecksOf(schema, rows, validation)
  }

  /** Whether the model has checks. */
  get hasChecks(): boolean {
    return this.checks !== undefined
  }

  /** A whole row, with defaults, expiry and a new version. */
  prepareRow(kind: 'insert' | 'put', given: Given, options: PutOptions, now: number): Mutation {
    if (kind === 'insert') this.refusePlain('insert')
    checkWriteOptions(kind, options, kind === 'insert' ? insertRules : putRules)
    if (options.create === false && options.if === undefined) throw createsAnyway()
    const expires = expiresIn(this.schema, options)
    if (expires === 'keep') return this.keepingExpiry(given, options, now)
    const row = this.rows.toRow(given, now, this.expiry(given, expires, now))
    const encoded = checkRow(this.schema, row, this.capabilities)
    const creates = kind === 'put' && options.create === true && options.if !== undefined
    const mutation: Mutation = { kind, schema: this.schema, row, key: encoded }
    return this.withCondition(kind, creates ? { ...mutation, kind: 'put', creates } : mutation, options)
  }

  /** A put that leaves the expiry of an existing row as it is: an update of all its other columns, which creates it if there is none. */
  private keepingExpiry(given: Given, options: PutOptions, now: number): Update {
    this.refusePlain("expires: 'keep' of put")
    this.refuseLacking("expires: 'keep' of put()")
    const { schema } = this
    expiresOf(this.rows, given) // refused if it is none, although the row keeps its own
    const row = this.rows.toRow(given, now, expiryOf(schema, undefined, now))
    const key = checkRow(schema, row, this.capabilities)
    const set = schema.columns.flatMap((_, at) => (at < schema.keyLength || at === schema.expiryIndex ? [] : [at]))
    const update: Update = { kind: 'update', schema, row, key, set }
    const creates = options.if === undefined || options.create === true
    return this.withCondition('put', creates ? { ...update, create: row } : update, options)
  }

  /** When a row expires: as the call says, or the row itself if it was read with its expiry, or the table. */
  private expiry(given: Given, expires: Expires | undefined, now: number): number | null {
    const own = expiresOf(this.rows, given)
    return expiryOf(this.schema, expires === undefined ? own : expires, now)
  }

  /** Some columns, and a new version; the expiry stays, unless the options have one. */
  prepareUpdate(key: Given, patch: Given, options: UpdateOptions, now: number): Update {
    this.refusePlain('update')
    checkWriteOptions('update', options, updateRules)
    const mutation = this.withCondition('update', this.preparePatch(this.rows.toKey(key), patch, now, options), options)
    return options.returning === true ? { ...mutation, returns: true } : mutation
  }

  /** A whole row if none exists, else the columns that were given. */
  prepareUpsert(given: Given, options: UpsertOptions, now: number): Update {
    this.refusePlain('upsert')
    this.refuseLacking('upsert()')
    checkWriteOptions('upsert', options, upsertRules)
    const { keyLength, expiryIndex, versionIndex } = this.schema
    const expires = expiresIn(this.schema, options) as Expires | undefined
    const create = this.rows.toRow(given, now, this.expiry(given, expires, now))
    const key = checkRow(this.schema, create, this.capabilities)
    const changesExpiry = expires !== undefined || expiresOf(this.rows, given) !== undefined
    const changed = [
      ...this.rows.positionsGiven(given).filter((at) => at >= keyLength && at !== versionIndex),
      ...(changesExpiry ? [expiryIndex] : []),
    ]
    const touched = this.rows.touched.map(({ position }) => position).filter((at) => !changed.includes(at))
    // A call that changes nothing of an existing row leaves it as it is, with its version and its times.
    const set = changed.length === 0 ? [] : [...changed, ...touched, ...(versionIndex < 0 ? [] : [versionIndex])]
    const returns = options.returning === true
    return this.withCondition('upsert', { kind: 'update', schema: this.schema, row: create, key, set, create, returns }, options)
  }

  /** Amounts to add; the expiry stays. */
  prepareIncrement(given: Given, by: Given, options: IncrementOptions, now: number): Update {
    this.refusePlain('increment')
    this.refuseLacking('increment()')
    checkWriteOptions('increment', options, incrementRules)
    const key = this.rows.toKey(given)
    const { row, set } = this.rows.toPatch(key, {}, now)
    const additions = additionsOf(this.schema, by)
    const create = this.createdBy(key, additions, options, now)
    const { versionIndex } = this.schema
    const mutation: Update = {
      kind: 'update',
      schema: this.schema,
      // The version is the same, whether the row exists or not: it is what the call resolves to.
      row: create === undefined || versionIndex < 0 ? row : row.with(versionIndex, create[versionIndex] ?? null),
      key: create === undefined ? checkKey(this.schema, key, this.capabilities) : checkRow(this.schema, create, this.capabilities),
      set,
      additions,
      create,
      returns: options.returning === true,
    }
    return this.withCondition('increment', mutation, options)
  }

  /** The row that an increment creates if none exists; undefined if it must exist. */
  private createdBy(key: Row, additions: readonly Addition[], options: IncrementOptions, now: number): Row | undefined {
    const { create = false } = options
    const expires = expiresIn(this.schema, options) as Expires | undefined
    const refuse = (option: string, message: string): Error => new RowkeyError('INVALID_OPTION', message, { option, value: 'an object' })
    if (create === false) {
      if (expires !== undefined)
        throw refuse(
          'expires',
          'an increment keeps the expiry of its row, so expires is only for a row that it creates. Give create too, or leave expires out.',
        )
      return undefined
    }
    const { schema } = this
    const values: Record<string, unknown> = create === true ? {} : { ...create }
    for (const [name, value] of Object.entries(this.rows.keyOf(key))) {
      if (values[name] !== undefined)
        throw refuse('create', `create has '${name}', which is in the key. Leave it out: the row has the key of the increment.`)
      values[name] = value
    }
    const sums = additions.map((addition) => {
      const column = schema.columns[addition.column] as SchemaColumn
      if (values[column.name] !== undefined)
        throw refuse(
          'create',
          `create has '${column.name}', which is incremented. Leave it out: the amount is added to its default, or to 0.`,
        )
      const { default: initial } = column.type
      const sum = sumOf(column, initial?.kind === 'constant' ? initial.value : null, addition.by)
      if (sum === undefined) throw outOfRange(schema, key, addition)
      values[column.name] = this.rows.valueAt(at(addition.column, sum), addition.column)
      return sum
    })
    return sums.length === 0 ? undefined : this.rows.toRow(values, now, this.expiry(values, expires, now))
  }

  /** Whether the row that a change makes has to pass checks which the change alone does not show to hold. */
  mustSeeRow(mutation: Update): boolean {
    return this.lackedPart(mutation) !== undefined || this.mustCheckRow(mutation)
  }

  /** A part of an entry in an index that only the row has. */
  private lackedPart(mutation: Update): ReturnType<typeof lackedPart> {
    return this.schema.indexes.length === 0 || isExact(this.schema) ? undefined : lackedPart(this.schema, mutation)
  }

  private mustCheckRow({ set, additions, create }: Update): boolean {
    if (this.checks === undefined) return false
    if (additions !== undefined || create !== undefined) return true
    return this.checks.dependent !== undefined && set.some((position) => position !== this.schema.versionIndex)
  }

  /** A batch is written without reading rows. @throws RowkeyError `CHECK_NEEDS_ROW` */
  refuseUnchecked(method: 'update' | 'upsert' | 'increment', mutation: Update): Update {
    if (!this.mustSeeRow(mutation)) return mutation
    throw this.needsRow(mutation, 'db.write() does not read it', this.canCompare ? `Call ${method}() of the repository` : this.otherChange)
  }

  /** @throws RowkeyError `CHECK_NEEDS_ROW` if the store cannot write a row on the condition that it is as it was checked */
  refuseUncomparable(mutation: Update): void {
    if (this.canCompare || !this.mustSeeRow(mutation)) return
    throw this.needsRow(mutation, `${this.adapter} cannot write on the condition that it is still the same`, this.otherChange)
  }

  /** Whether the store can compare values of rows. */
  private get canCompare(): boolean {
    return this.capabilities.conditions === 'columns'
  }

  /** How a row is changed on a store that cannot: modify() needs a version. */
  private get otherChange(): string | undefined {
    return this.schema.versionIndex < 0 ? undefined : 'Use modify()'
  }

  private needsRow(mutation: Update, why: string, change: string | undefined): Error {
    const { name } = this.schema
    const remedy = change === undefined ? 'Put the whole row.' : `${change}, or put the whole row.`
    const lacked = this.lackedPart(mutation)
    if (lacked !== undefined) {
      const message =
        `a change of a row of '${name}' makes another entry in index '${lacked.index}', which also needs '${lacked.column}' of the row, and ${why}. ` +
        `Nothing was written. Give '${lacked.column}' too, ${change === undefined ? '' : `${change.charAt(0).toLowerCase()}${change.slice(1)}, `}or put the whole row.`
      return mapperError('INDEX_NEEDS_ROW', message, { table: name, indexName: lacked.index, column: lacked.column })
    }
    const column = this.checks?.dependent ?? 'the row'
    const which = column === 'the row' ? 'checks' : `checks of '${column}' that may read other columns`
    const message = `rows of '${name}' have ${which}, so a change has to be checked with the whole row, and ${why}. Nothing was written. ${remedy}`
    return mapperError('CHECK_NEEDS_ROW', message, { table: name, column })
  }

  /** The same for a key that is a row already. */
  preparePatch(key: Row, patch: Given, now: number, options: ModifyOptions): Update {
    const { schema } = this
    const expires = expiresIn(schema, options) as Expires | undefined
    const { row, set } = this.rows.toPatch(key, patch, now)
    const mutation: Update = { kind: 'update', schema, row, key: checkRow(schema, row, this.capabilities), set }
    if (expires === undefined) return mutation
    const { expiryIndex } = schema
    return { ...mutation, row: row.with(expiryIndex, expiryOf(schema, expires, now)), set: [...set, expiryIndex] }
  }

  /** Runs the checks of the model on what a mutation writes; undefined if they are already done. @throws RowkeyError `VALIDATION_FAILED` */
  check(mutation: Mutation): Promise<void> | undefined {
    if (this.checks === undefined || mutation.kind === 'delete') return undefined
    if (mutation.kind !== 'update') return this.checks.row(mutation.row)
    const whole = mutation.create ?? (this.setsAll(mutation) ? mutation.row : undefined)
    return whole === undefined ? this.checks.patch(mutation.row, mutation.set) : this.checks.row(whole)
  }

  /** Whether an update sets every value column, so that the row after it is known. */
  private setsAll({ set }: Update): boolean {
    return this.rows.written.every(({ position, isKey }) => isKey || set.includes(position))
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
    const version = newUlid(now)
    const row = mutation.row.with(versionIndex, version)
    return mutation.kind === 'update' && mutation.create !== undefined
      ? { ...mutation, row, create: mutation.create.with(versionIndex, version) }
      : { ...mutation, row }
  }

  /** A version for a row that was written before its table had them. */
  firstVersion(key: Row, now: number): Mutation {
    const { columns, versionIndex, keyLength } = this.schema
    const version = newUlid(now)
    const row = columns.map((_, i) => (i < keyLength ? (key[i] ?? null) : i === versionIndex ? version : null))
    return { kind: 'update', schema: this.schema, row, set: [versionIndex] }
  }

  prepareDelete(key: Given, options: ChangeOptions): Mutation {
    checkWriteOptions('delete', options, deleteRules)
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
      `${method}() is a conditional write, but '${name}' is declared with writes: 'plain'. Use put() or delete(), or copy its rows with copyTable() into a table with writes: 'conditional'.`,
      { table: name, method },
    )
  }

  private withCondition<T extends Mutation>(method: string, mutation: T, { if: given }: IfOptions): T {
    if (given === undefined) return mutation
    this.refusePlain(`if of ${method}`)
    const { version, conditions } = compileConditions(this.schema, given)
    const creates = mutation.kind === 'put' && mutation.creates === true
    if (conditions !== undefined || creates) this.refuseLacking(`if of ${method}()`)
    return { ...mutation, conditions: conditions ?? (creates ? [] : undefined), version }
  }

  /** @throws RowkeyError `NOT_SUPPORTED` for a store that cannot compare values of rows */
  refuseLacking(what: string): void {
    if (this.canCompare) return
    const { name } = this.schema
    const remedy = this.otherChange === undefined ? 'Use another store.' : `${this.otherChange}, or another store.`
    const message = `${this.adapter} has no conditions on columns, which ${what} on '${name}' needs. ${remedy}`
    throw new RowkeyError('NOT_SUPPORTED', message, { table: name, capability: 'conditions', adapter: this.adapter })
  }
}

function createsAnyway(): Error {
  const message =
    'create: false of put() is for a put with a condition (if), and without one a put creates the row. Use update(), or give if.'
  return new RowkeyError('INVALID_OPTION', message, { option: 'create', value: 'false' })
}

/** A row with a value at one position. */
const at = (position: number, value: Value): Row => Array.from({ length: position + 1 }, (_, i) => (i === position ? value : null))
