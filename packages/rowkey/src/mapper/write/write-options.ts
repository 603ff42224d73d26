// Tested by small-ways.test.ts and writes-expiry.test.ts.
import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import { durationForm, durationMs, type Duration, type InferConditions, type InferPatch, type Model, type TableSchema } from '#model'
import type { WriteRequest } from '#store/engine'
import { cancellationOf, cancelRules, inMapperTime, isDate, type CancelOptions } from '../call/cancellation.js'
import { checkOptions, isCount, isFlag, type OptionRule } from '../call/check-options.js'
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
  /** The time after which the row expires: `expires` for durations only. */
  ttl?: Duration
  /** When the row expires; null = never: `expires` for instants only. */
  expiresAt?: Date | null
}

/** Options of `insert()`. */
export interface InsertOptions extends WriteOptions, ExpiryOptions {}

/**
 * Options of `putMany()` and `load()`. With `expires: 'keep'` an existing row keeps its expiry, and a new one gets that of the table; the write
 * is then conditional, as an upsert of all columns, and tables with `writes: 'plain'` refuse it.
 */
export interface PutManyOptions extends WriteOptions, ExpiryOptions<'keep'> {}

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
export interface PutOptions<M extends Model = Model> extends PutManyOptions, IfOptions<M> {}

/** Options of `delete()`. */
export interface ChangeOptions<M extends Model = Model> extends WriteOptions, IfOptions<M> {}

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
export interface UpdateOptions<M extends Model = Model> extends ChangeOptions<M>, ReturningOptions, Pick<ModifyOptions, 'expires'> {}

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
const isExpires = (value: unknown): boolean => value === null || isDate(value) || durationMs(value) !== undefined
const expires: OptionRule = { wants: `${durationForm}; a Date; or null for never`, fits: isExpires }
const orKeep: OptionRule = {
  wants: `'keep' for that of the existing row; ${expires.wants}`,
  fits: (value) => value === 'keep' || isExpires(value),
}
const expiry: Readonly<Record<keyof ExpiryOptions, OptionRule>> = {
  expires,
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
export const putManyRules: Readonly<Record<keyof PutManyOptions, OptionRule>> = { ...insertRules, expires: orKeep }
export const putRules: Readonly<Record<keyof PutOptions, OptionRule>> = { ...putManyRules, ...conditions }
export const deleteRules: Readonly<Record<keyof ChangeOptions, OptionRule>> = { ...always, ...conditions }
export const modifyRules: Readonly<Record<keyof ModifyOptions, OptionRule>> = { ...always, expires }
export const updateRules: Readonly<Record<keyof UpdateOptions, OptionRule>> = { ...deleteRules, ...returning, expires }
export const upsertRules: Readonly<Record<keyof UpsertOptions, OptionRule>> = { ...insertRules, ...returning }
export const incrementRules: Readonly<Record<keyof IncrementOptions, OptionRule>> = { ...insertRules, ...conditions, ...returning, create }
export const operationRules: Readonly<Record<'insert' | 'put' | 'update' | 'delete' | 'increment', Readonly<Record<string, OptionRule>>>> =
  {
    insert: expiry,
    put: { ...expiry, expires: orKeep, ...conditions },
    update: { expires, ...conditions },
    delete: conditions,
    increment: { ...expiry, ...conditions, create },
  }
export const plainRules: Readonly<Record<keyof WriteOptions, OptionRule>> = always
export const batchRules: Readonly<Record<keyof BatchOptions, OptionRule>> = {
  ...always,
  atomic: isFlag,
}

/** No options, which need no check. */
export const noOptions: Readonly<Omit<PutOptions, 'expires'>> = Object.freeze({})

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

/** What the options say of the expiry; undefined = nothing. @throws RowkeyError `TTL_UNDECLARED`, `INVALID_OPTION` for more than one */
export function expiresIn({ name, expiryIndex }: TableSchema, options: ExpiryOptions<'keep'>): Expires | 'keep' | undefined {
  if (options === noOptions) return undefined
  const [option, another] = (['expires', 'ttl', 'expiresAt'] as const).filter((option) => options[option] !== undefined)
  if (option === undefined) return undefined
  if (expiryIndex < 0) throw ttlUndeclared(name, `${option} was given for a row of '${name}', but rows of this table do not expire.`)
  if (another !== undefined) {
    const message = `a row of '${name}' was given both ${option} and ${another}. Give one of them.`
    throw new RowkeyError('INVALID_OPTION', message, { option: another, value: show(options[another]) })
  }
  return options[option]
}

/** When a row that is written now expires; undefined = by the table's ttl. */
export function expiryOf({ expiryIndex, ttl }: TableSchema, expires: Expires | undefined, now: number): number | null {
  if (expiryIndex < 0) return null
  const ms = typeof expires === 'string' ? durationMs(expires) : ttl
  if (typeof expires === 'object') return expires === null ? null : expires.getTime()
  return ms === undefined ? null : now + ms
}
