import type { Duration } from '#model'
import { maxInPlan, type Order } from '#store'
import { cancelRules } from '../call/cancellation.js'
import { checkOptions, isCount, isFlag, isFunction, isParallel, type OptionRule } from '../call/check-options.js'

/** The options of a scan, without the types of a model. */
export interface AnyScanOptions {
  readonly order?: Order | undefined
  readonly limit?: number
  readonly from?: object | undefined
  readonly after?: object | undefined
  readonly to?: object | undefined
  readonly before?: object | undefined
  readonly select?: readonly PropertyKey[]
  readonly withExpiry?: boolean
  readonly filter?: (row: never) => boolean
  readonly consistency?: 'strong' | 'eventual'
  readonly signal?: AbortSignal
  readonly maxRanges?: number
  readonly maxFanOut?: number
  readonly unbounded?: boolean
  readonly maxExamined?: number
  readonly timeout?: Duration
  readonly deadline?: Date | number
  readonly prefetch?: boolean
  readonly index?: string
}

/** The options of `page()`. */
export interface AnyPageOptions {
  readonly size?: number
  readonly cursor?: string | undefined
}

/** The options of `readAll()`, without the types of a model. */
export type AnyReadAllOptions = Pick<
  AnyScanOptions,
  'select' | 'withExpiry' | 'filter' | 'consistency' | 'signal' | 'timeout' | 'deadline'
> & {
  readonly checkpoint?: string | undefined
  readonly parallel?: number
}

/** Like the values of the predicate, a bound may come from a client: what it contains is checked with them. */
const isBound: OptionRule = { wants: 'a key, its first columns, or a row', fits: () => true }
export const isCursor: OptionRule = { wants: 'the text that was returned', fits: (value) => typeof value === 'string', isCursor: true }

/** Far more columns than a table has. */
const maxSelected = 1000

const rules: Readonly<Record<keyof AnyScanOptions, OptionRule>> = {
  order: {
    wants: "'reverse', or an object like { at: 'desc' }",
    fits: (value) => value === 'reverse' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
  },
  limit: isCount,
  from: isBound,
  after: isBound,
  to: isBound,
  before: isBound,
  select: { wants: `a list of at most ${maxSelected} columns`, fits: (value) => Array.isArray(value) && value.length <= maxSelected },
  withExpiry: isFlag,
  filter: isFunction,
  consistency: { wants: "'strong' or 'eventual'", fits: (value) => value === 'strong' || value === 'eventual' },
  signal: cancelRules.signal,
  maxRanges: { wants: `${isCount.wants} to ${maxInPlan}`, fits: (value) => isCount.fits(value) && (value as number) <= maxInPlan },
  maxFanOut: isCount,
  unbounded: isFlag,
  maxExamined: isCount,
  timeout: cancelRules.timeout,
  deadline: cancelRules.deadline,
  prefetch: isFlag,
  index: { wants: 'the name of an index', fits: (value) => typeof value === 'string' },
}

/** The options of `deleteAll()`. */
export type AnyDeleteOptions = Pick<AnyPageOptions, 'cursor'>

const pageRules: Readonly<Record<keyof AnyPageOptions, OptionRule>> = { size: isCount, cursor: isCursor }
const deleteRules: Readonly<Record<keyof AnyDeleteOptions, OptionRule>> = { cursor: isCursor }

const { select, withExpiry, filter, consistency } = rules
/** Options of reads by key. */
export const existsRules: Readonly<Record<'consistency' | keyof typeof cancelRules, OptionRule>> = { consistency, ...cancelRules }
export const readRules: Readonly<Record<'withExpiry' | keyof typeof existsRules, OptionRule>> = { ...existsRules, withExpiry }
const readAllRules = {
  checkpoint: isCursor,
  parallel: isParallel,
  select,
  withExpiry,
  filter,
  consistency,
  ...cancelRules,
}

/** @throws RowkeyError `INVALID_OPTION`, `CURSOR_INVALID` */
export function checkReadAllOptions(options: object): void {
  checkOptions('readAll()', options, readAllRules)
}

/** @throws RowkeyError `INVALID_OPTION`, `CURSOR_INVALID` */
export function checkPageOptions(options: AnyPageOptions): void {
  checkOptions('page()', options, pageRules)
}

/** @throws RowkeyError `INVALID_OPTION` */
export function checkDeleteOptions(options: AnyDeleteOptions): void {
  checkOptions('deleteAll()', options, deleteRules)
}

/** @throws RowkeyError `INVALID_OPTION` */
export function checkScanOptions(options: AnyScanOptions): void {
  checkOptions('a scan', options, rules)
}
