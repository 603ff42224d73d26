import { RowkeyError, show } from '@rowkey/codec'
import { durationForm, durationMs, type Duration, type TableSchema } from '@rowkey/model'
import type { Sending } from '@rowkey/store'
import { checkOptions, type OptionRule } from './check-options.js'
import { mapperError } from './errors.js'

/** Options of every write. */
export interface WriteOptions {
  /** How often it is sent to a store that does not get to it, from 1; the pauses between grow. Default 8. */
  attempts?: number
  /** When to give up sending it again: a `Date` or epoch milliseconds. */
  deadline?: Date | number
  signal?: AbortSignal
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

const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value))
export const isCount: OptionRule = { wants: 'a whole number from 1', fits: (value) => Number.isSafeInteger(value) && (value as number) > 0 }

const always: Readonly<Record<keyof WriteOptions, OptionRule>> = {
  attempts: isCount,
  deadline: { wants: 'a Date or epoch milliseconds', fits: (value) => isDate(value) || Number.isFinite(value) },
  signal: { wants: 'an AbortSignal', fits: (value) => typeof value === 'object' && value !== null && 'aborted' in value },
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

/** How a write with these options is sent. */
export function sendingOf({ attempts, deadline, signal }: WriteOptions, now: number, most: number): Sending {
  if (deadline === undefined && signal === undefined) return { now, attempts: attempts ?? most }
  return {
    now,
    attempts: attempts ?? most,
    ...(deadline === undefined ? {} : { deadline: Number(deadline) }),
    ...(signal === undefined ? {} : { signal }),
  }
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
