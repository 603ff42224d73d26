import { RowkeyError, show } from '@rowkey/codec'
import { durationForm, durationMs, type Duration, type TableSchema } from '@rowkey/model'
import type { Sending } from '@rowkey/store'
import { cancellationOf, cancelRules, isDate, type CancelOptions } from './cancellation.js'
import { checkOptions, type OptionRule } from './check-options.js'
import { mapperError } from './errors.js'

/** Options of every write. */
export interface WriteOptions extends CancelOptions {
  /** How often it is sent to a store that does not get to it, from 1; the pauses between grow. Default 8. */
  attempts?: number
}

/** Options of `insert()`, `putMany()` and `load()`; expiry only for tables that are declared with a ttl. */
export interface InsertOptions extends WriteOptions {
  /** The row expires that long after now, instead of the table's own ttl. */
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

/** What a write that is made for `db.write()` may say of its row; how it is sent is an option of that. */
export type OperationOptions<T extends WriteOptions> = Omit<T, keyof WriteOptions>

/** Options of `db.write()`. */
export interface BatchOptions extends WriteOptions {
  /** All or none; the store says how much it can do at once, else `ATOMIC_SCOPE`. Default false. */
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
  explicit: true, // a condition that is forgotten would overwrite what it shall protect
  wants: 'the version of a row as it was read; a row without one gets it by modify()',
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
export function sendingOf(options: WriteOptions, now: number, most: number, method: string, table: string): Sending {
  const { attempts = most } = options
  const cancellation = cancellationOf(options, () => now, method, table)
  return cancellation === undefined ? { now, attempts } : { now, attempts, cancellation }
}

/** When a row expires that is written now. @throws RowkeyError `TTL_UNDECLARED`, `INVALID_OPTION` if both are given */
export function expiryOf({ name, expiryAt, ttl: declared }: TableSchema, { ttl, expiresAt }: InsertOptions, now: number): number | null {
  if (expiryAt < 0) {
    if (ttl === undefined && expiresAt === undefined) return null
    const option = ttl === undefined ? 'expiresAt' : 'ttl'
    throw mapperError(
      'TTL_UNDECLARED',
      `${option} was given for a row of '${name}', whose rows do not expire. Declare the table with @Ttl('30d') or { ttl }, and add the column with ensureTables().`,
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
