// Tested by small-ways.test.ts and writes-expiry.test.ts.
import { RowkeyError } from '@rowkey/codec'
import { show } from '@rowkey/codec/internal'
import { durationForm, durationMs, type Duration, type InferConditions, type InferPatch, type Model, type TableSchema } from '@rowkey/model'
import type { WriteRequest } from '@rowkey/store/engine'
import { cancellationOf, cancelRules, inMapperTime, isDate, type CancelOptions } from '../call/cancellation.js'
import { checkOptions, isCount, isFlag, type OptionRule } from '../call/check-options.js'
import { mapperError } from '../call/errors.js'
import type { MapperContext } from '../table/table-handle.js'

/** Options of every write. */
export interface WriteOptions extends CancelOptions {
  /** How often it is sent if the store does not process it, from 1, with growing pauses. Default 8. */
  attempts?: number
}

/** Options of `insert()`, `putMany()` and `load()`; an expiry is only for tables that declare a ttl. */
export interface InsertOptions extends WriteOptions {
  /** The time after which the row expires, instead of the table's ttl. */
  ttl?: Duration
  /** When the row expires; null = never. */
  expiresAt?: Date | null
}

/** What must hold of the existing row before a write changes it. */
export interface IfOptions<M extends Model = Model> {
  /** The version that the row must have now. */
  ifVersion?: string
  /**
   * Conditions on value columns that the existing row must meet, as in a predicate: `{ state: 'open', count: { gte: 2 } }`. Wrap a value
   * from outside in `equals()`, because an object in its place would be read as operators. If the row does not meet them,
   * nothing is written and the call rejects with `CONDITION_FAILED`; without a row with `ROW_NOT_FOUND`.
   */
  if?: InferConditions<M>
}

/** Options of `put()`. */
export interface PutOptions<M extends Model = Model> extends InsertOptions, IfOptions<M> {}

/** Options of `delete()`. */
export interface ChangeOptions<M extends Model = Model> extends WriteOptions, IfOptions<M> {}

/** Whether a write resolves to the row as it is afterwards. */
interface ReturningOptions {
  /** Resolve to the whole row after the write, as `row`. Default false. */
  returning?: boolean
}

/** Options of `update()`. */
export interface UpdateOptions<M extends Model = Model> extends ChangeOptions<M>, ReturningOptions {}

/** Options of `upsert()`. The expiry of an existing row stays, unless one is given. */
export interface UpsertOptions extends InsertOptions, ReturningOptions {}

/** Options of `increment()`. */
export interface IncrementOptions<M extends Model = Model> extends InsertOptions, IfOptions<M>, ReturningOptions {
  /**
   * Create the row if none exists: true, or the values of its other value columns. A new row has the key of the increment. The amounts are
   * then added to the constant defaults of their columns, or to 0, and must fit these columns even if the row exists. It excludes `if` and
   * `ifVersion`, and only then an expiry may be given, for a row that is created. Default false.
   */
  create?: boolean | InferPatch<M>
}

/** The options of an operation for `db.write()`, about its row. How it is sent is an option of `db.write()`. */
export type OperationOptions<T extends WriteOptions> = Omit<T, keyof WriteOptions | keyof ReturningOptions>

/** Options of `db.write()`. */
export interface BatchOptions extends WriteOptions {
  /** All or none. More than the store can write atomically is `ATOMIC_SCOPE`. Default false. */
  atomic?: boolean
}

const always: Readonly<Record<keyof WriteOptions, OptionRule>> = {
  attempts: isCount,
  ...cancelRules,
}
const expiry: Readonly<Record<'ttl' | 'expiresAt', OptionRule>> = {
  ttl: { wants: durationForm, fits: (value) => durationMs(value) !== undefined },
  expiresAt: { wants: 'a Date, or null for never', fits: (value) => value === null || isDate(value) },
}
const ifVersion: OptionRule = {
  explicit: true, // a condition that is dropped would overwrite what it has to protect
  wants: 'the version of a row as it was read. modify() adds one to a row that has none',
  fits: (value) => typeof value === 'string' && value !== '',
}

const conditions: Readonly<Record<keyof IfOptions, OptionRule>> = {
  ifVersion,
  if: {
    explicit: true,
    isPredicate: true,
    wants: "conditions by column, such as { state: 'open' }",
    fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
}
const returning: Readonly<Record<keyof ReturningOptions, OptionRule>> = { returning: isFlag }
const create: OptionRule = {
  wants: 'true, or the values of other columns',
  fits: (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
}

export const insertRules: Readonly<Record<keyof InsertOptions, OptionRule>> = { ...always, ...expiry }
export const putRules: Readonly<Record<keyof PutOptions, OptionRule>> = { ...insertRules, ...conditions }
export const changeRules: Readonly<Record<keyof ChangeOptions, OptionRule>> = { ...always, ...conditions }
export const updateRules: Readonly<Record<keyof UpdateOptions, OptionRule>> = { ...changeRules, ...returning }
export const upsertRules: Readonly<Record<keyof UpsertOptions, OptionRule>> = { ...insertRules, ...returning }
export const incrementRules: Readonly<Record<keyof IncrementOptions, OptionRule>> = { ...putRules, ...returning, create }
export const operationRules: Readonly<Record<'insert' | 'put' | 'change' | 'increment', Readonly<Record<string, OptionRule>>>> = {
  insert: expiry,
  put: { ...expiry, ...conditions },
  change: conditions,
  increment: { ...expiry, ...conditions, create },
}
export const plainRules: Readonly<Record<keyof WriteOptions, OptionRule>> = always
export const batchRules: Readonly<Record<keyof BatchOptions, OptionRule>> = {
  ...always,
  atomic: isFlag,
}

/** No options, which need no check. */
export const noOptions: Readonly<PutOptions> = Object.freeze({})

/** @throws RowkeyError `INVALID_OPTION` */
export function checkWriteOptions(method: string, options: object, rules: Readonly<Record<string, OptionRule>>): void {
  if (options !== noOptions) checkOptions(`${method}()`, options, rules)
}

/**
 * How a write with these options is sent.
 *
 * @param now the time of the call, by the clock of the mapper
 */
export function requestOf(
  options: WriteOptions,
  now: number,
  { attempts: usual, timeout }: Pick<MapperContext, 'attempts' | 'timeout'>,
  method: string,
  table: string,
): WriteRequest {
  if (options === noOptions && timeout === undefined) return { now, attempts: usual, cancellation: undefined }
  const { attempts = usual } = options
  const clock = (): number => now
  const cancellation = cancellationOf(inMapperTime(options, timeout, clock), clock, method, table)
  return { now, attempts, cancellation }
}

/** When a row that is written now expires. @throws RowkeyError `TTL_UNDECLARED`, `INVALID_OPTION` if both are given */
export function expiryOf({ name, expiryIndex, ttl: declared }: TableSchema, { ttl, expiresAt }: InsertOptions, now: number): number | null {
  if (expiryIndex < 0) {
    if (ttl === undefined && expiresAt === undefined) return null
    const option = ttl === undefined ? 'expiresAt' : 'ttl'
    throw mapperError(
      'TTL_UNDECLARED',
      `${option} was given for a row of '${name}', but rows of this table do not expire. Declare the table with @Ttl('30d') or { ttl }, and add the column with ensureTables().`,
      { table: name },
    )
  }
  if (ttl !== undefined && expiresAt !== undefined) {
    const message = `a row of '${name}' was given both ttl and expiresAt. Give one of them.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'expiresAt', value: show(expiresAt) })
  }
  if (expiresAt !== undefined) return expiresAt === null ? null : expiresAt.getTime()
  const ms = ttl === undefined ? declared : durationMs(ttl)
  return ms === undefined ? null : now + ms
}
