import { RowkeyError } from '@rowkey/codec'
import { show } from '@rowkey/codec/internal'
import { durationForm, durationMs, type Duration, type TableSchema } from '@rowkey/model'
import type { WriteRequest } from '@rowkey/store/engine'
import { cancellationOf, cancelRules, isDate, type CancelOptions } from '../call/cancellation.js'
import { checkOptions, type OptionRule } from '../call/check-options.js'
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

/** Options of `put()`. */
export interface PutOptions extends InsertOptions {
  /** The version that the row must have now. */
  ifVersion?: string
}

/** Options of `update()` and `delete()`. */
export interface ChangeOptions extends WriteOptions {
  /** The version that the row must have now. */
  ifVersion?: string
}

/** The options of an operation for `db.write()`, about its row. How it is sent is an option of `db.write()`. */
export type OperationOptions<T extends WriteOptions> = Omit<T, keyof WriteOptions>

/** Options of `db.write()`. */
export interface BatchOptions extends WriteOptions {
  /** All or none. More than the store can write atomically is `ATOMIC_SCOPE`. Default false. */
  atomic?: boolean
}

export const isCount: OptionRule = { wants: 'a whole number from 1', fits: (value) => Number.isSafeInteger(value) && (value as number) > 0 }

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

export const insertRules: Readonly<Record<keyof InsertOptions, OptionRule>> = { ...always, ...expiry }
export const putRules: Readonly<Record<keyof PutOptions, OptionRule>> = { ...insertRules, ifVersion }
export const changeRules: Readonly<Record<keyof ChangeOptions, OptionRule>> = { ...always, ifVersion }
export const operationRules: Readonly<Record<'insert' | 'put' | 'change', Readonly<Record<string, OptionRule>>>> = {
  insert: expiry,
  put: { ...expiry, ifVersion },
  change: { ifVersion },
}
export const plainRules: Readonly<Record<keyof WriteOptions, OptionRule>> = always
export const batchRules: Readonly<Record<keyof BatchOptions, OptionRule>> = {
  ...always,
  atomic: { wants: 'true or false', fits: (value) => typeof value === 'boolean' },
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
  { attempts: usual }: Pick<MapperContext, 'attempts'>,
  method: string,
  table: string,
): WriteRequest {
  const { attempts = usual } = options
  const cancellation = cancellationOf(options, () => now, method, table)
  return cancellation === undefined ? { now, attempts } : { now, attempts, cancellation }
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
