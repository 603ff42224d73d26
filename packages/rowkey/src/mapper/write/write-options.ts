// Tested by small-ways.test.ts and writes-expiry.test.ts.
import { durationForm, durationMs, type Duration, type InferConditions, type InferPatch, type TableSchema } from '#model'
import type { WriteRequest } from '#store/engine'
import { cancellationOf, cancelRules, inMapperTime, isDate, type CancelOptions } from '../call/cancellation.js'
import { checkOptions, isCount, isFlag, isFunction, type OptionRule } from '../call/check-options.js'
import { ttlUndeclared } from '../call/errors.js'
import type { MapperContext } from '../table/table-handle.js'

/** Options of every write. */
export interface WriteOptions extends CancelOptions {
  /** How often it is sent if the store does not process it, from 1, with growing pauses. Default 8. */
  attempts?: number
}

/** When a row expires: so long after the write, at an instant, or null for never. */
export type Expires = Duration | Date | null

/** When a row that is written expires; only for tables that declare a ttl. */
interface ExpiryOptions<Keep = never> {
  /** When the row expires. Default: as its `$expires` says, if it was read with it, else by the table's ttl. */
  expires?: Expires | Keep
}

/** Options of `insert()`. */
export interface InsertOptions extends WriteOptions, ExpiryOptions {}

/**
 * When a row that is put expires. With `expires: 'keep'` an existing row keeps its expiry, and a new one gets that of the table; the write is
 * then conditional, as an upsert of all columns, and tables with `writes: 'plain'` refuse it.
 */
type PutExpiryOptions = ExpiryOptions<'keep'>

/** Options of `putMany()`. */
export interface PutManyOptions extends WriteOptions, PutExpiryOptions {
  /** Batches of up to 256 rows under way at a time; default 4, for a source that is no list. */
  concurrency?: number
  /**
   * How many rows are checked before the first of them is written, at most 256 for each batch under way. A row that is refused, or a source that throws,
   * then leaves its whole window unwritten. Default: a list is checked as a whole; of another source, the rows before a refused one are written.
   */
  window?: number
  /**
   * How long the store may acknowledge no row of a batch, such as `'30s'`. Then the call ends with `DEADLINE`. A store that is only slow is waited
   * for, however long all of it takes. Default no limit.
   */
  patience?: Duration
  /**
   * Called after each batch with the number of rows written so far, and with how many a later call may leave out. The call does not wait for it;
   * what it throws or rejects with goes to `console.error`.
   */
  onProgress?: (progress: PutProgress) => unknown
  /**
   * `'unset'`: do not write the columns that are null, because the rows are known to be new. On Cassandra each null that is written is a tombstone,
   * which reads pass over. A row that exists keeps its old values in these columns, for as long as they had to live. Give each key once. A store that
   * writes rows as a whole, as most do, is `NOT_SUPPORTED`.
   */
  nulls?: 'unset'
}

/** What a write resolves to: the whole key, generated parts included. */
export interface Written<Key extends object = object> {
  readonly key: Key
  /** The new version of the row, if the model declares one. */
  readonly version?: string
}

/** What a write with `returning` resolves to. */
export interface WrittenRow<Row, Key extends object = object> extends Written<Key> {
  /** The whole row after the write. */
  readonly row: Row
}

/** The progress of `putMany()`. */
export interface PutProgress {
  /** Rows written. */
  readonly rows: number
  /** Requests that wrote them. */
  readonly batches: number
  /**
   * How many rows of the source, counted from its first, are all written. A later call with the same rows may leave these out: nothing is lost. It grows
   * by whole windows, so some of the rows after them may be written as well.
   */
  readonly certain: number
}

/** What a write of many rows resolves to, when all are written. */
export interface WrittenMany {
  /** How many rows it was given. */
  readonly rows: number
}

/** What must hold of the existing row before a write changes it. */
export interface IfOptions<M extends object = object> {
  /**
   * Conditions on value columns that the existing row must meet, as in a predicate: `{ state: 'open', count: { gte: 2 } }`. The version is one of
   * them: `{ rev: version }`, as it was read. Wrap a value from outside in `equals()`, because an object in its place would be read as operators.
   * If the row does not meet them, nothing is written: `VERSION_CONFLICT` for another version, otherwise `CONDITION_FAILED`. Without a row it is
   * `ROW_NOT_FOUND`, unless the write creates one.
   */
  if?: InferConditions<M>
}

/** Options of `put()`. */
export interface PutOptions<M extends object = object> extends WriteOptions, PutExpiryOptions, IfOptions<M> {
  /**
   * With `if`: create the row if none exists; the condition is only for one that does. `{ if: { at: { lt: reading.at } }, create: true }` keeps the
   * latest reading. Default false: with `if`, the row has to exist.
   */
  create?: boolean
}

/** Options of `delete()`. */
export interface ChangeOptions<M extends object = object> extends WriteOptions, IfOptions<M> {}

/** Whether a write resolves to the row as it is afterwards. */
interface ReturningOptions {
  /** Resolve to the whole row after the write, as `row`. Default false. */
  returning?: boolean
}

/** Options of `modify()`. */
export interface ModifyOptions extends WriteOptions {
  /** When the row expires from now on. Default: as before. */
  expires?: Expires
}

/** Options of `update()`. */
export interface UpdateOptions<M extends object = object> extends ChangeOptions<M>, ReturningOptions, Pick<ModifyOptions, 'expires'> {}

/** Options of `upsert()`. The expiry of an existing row stays, unless one is given; `if` is only for an existing row. */
export interface UpsertOptions<M extends object = object> extends InsertOptions, IfOptions<M>, ReturningOptions {}

/** Options of `increment()`. */
export interface IncrementOptions<M extends object = object> extends InsertOptions, IfOptions<M>, ReturningOptions {
  /**
   * Create the row if none exists: true, or the values of its other value columns. A new row has the key of the increment. The amounts are
   * then added to the constant defaults of their columns, or to 0, and must fit these columns even if the row exists. `if` is then only for a
   * row that exists. Only with it an expiry may be given, for a row that is created. Default false.
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
const isExpires = (value: unknown): boolean => value === null || isDate(value) || durationMs(value) !== undefined
const expires: OptionRule = { wants: `${durationForm}, a Date, or null for never`, fits: isExpires }
const orKeep: OptionRule = {
  wants: `'keep' for that of the existing row, ${expires.wants}`,
  fits: (value) => value === 'keep' || isExpires(value),
}
const expiry: Readonly<Record<keyof ExpiryOptions, OptionRule>> = { expires }

const conditions: Readonly<Record<keyof IfOptions, OptionRule>> = {
  if: {
    explicit: true, // a condition that is dropped would overwrite what it has to protect
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
export const putRules: Readonly<Record<keyof PutOptions, OptionRule>> = { ...insertRules, expires: orKeep, ...conditions, create: isFlag }
export const putManyRules: Readonly<Record<keyof PutManyOptions, OptionRule>> = {
  ...always,
  expires: orKeep,
  concurrency: isCount,
  window: isCount,
  patience: { wants: `${durationForm}, but no more than 24 days`, fits: (value) => (durationMs(value) ?? Infinity) < 2 ** 31 }, // what a timer can wait
  nulls: { wants: "'unset', for rows that are known to be new", fits: (value) => value === 'unset' },
  onProgress: isFunction,
}
export const deleteRules: Readonly<Record<keyof ChangeOptions, OptionRule>> = { ...always, ...conditions }
export const modifyRules: Readonly<Record<keyof ModifyOptions, OptionRule>> = { ...always, expires }
export const updateRules: Readonly<Record<keyof UpdateOptions, OptionRule>> = { ...deleteRules, ...returning, expires }
export const upsertRules: Readonly<Record<keyof UpsertOptions, OptionRule>> = { ...insertRules, ...conditions, ...returning }
export const incrementRules: Readonly<Record<keyof IncrementOptions, OptionRule>> = { ...insertRules, ...conditions, ...returning, create }
export const operationRules: Readonly<
  Record<'insert' | 'put' | 'update' | 'upsert' | 'delete' | 'increment', Readonly<Record<string, OptionRule>>>
> = {
  insert: expiry,
  put: { ...expiry, expires: orKeep, ...conditions, create: isFlag },
  update: { expires, ...conditions },
  upsert: { ...expiry, ...conditions },
  delete: conditions,
  increment: { ...expiry, ...conditions, create },
}
export const plainRules: Readonly<Record<keyof WriteOptions, OptionRule>> = always
export const batchRules: Readonly<Record<keyof BatchOptions, OptionRule>> = {
  ...always,
  atomic: isFlag,
}

/** No options, which need no check. */
export const noOptions: Readonly<Omit<PutOptions, 'expires'>> & { readonly expires?: never } = Object.freeze({})

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
  const cancellation = cancellationOf(inMapperTime(options, timeout), () => now, method, table)
  return { now, attempts, cancellation }
}

/** What the options say of the expiry; undefined = nothing. @throws RowkeyError `TTL_UNDECLARED` */
export function expiresIn({ name, expiryIndex }: TableSchema, { expires }: ExpiryOptions<'keep'>): Expires | 'keep' | undefined {
  if (expires !== undefined && expiryIndex < 0)
    throw ttlUndeclared(name, `expires was given for a row of '${name}', but rows of this table do not expire.`)
  return expires
}

/** When a row that is written now expires; undefined = by the table's ttl. */
export function expiryOf({ expiryIndex, ttl }: TableSchema, expires: Expires | undefined, now: number): number | null {
  if (expiryIndex < 0) return null
  const ms = typeof expires === 'string' ? durationMs(expires) : ttl
  if (typeof expires === 'object') return expires === null ? null : expires.getTime()
  return ms === undefined ? null : now + ms
}
