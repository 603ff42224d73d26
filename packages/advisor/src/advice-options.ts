// Tested by advise.test.ts.
import { RowkeyError } from '@rowkey/codec'
import { isPlainObject, show, showName, showNames } from '@rowkey/codec/internal'
import type { TableSchema } from '@rowkey/model'
import type { TableStats } from './data/table-stats.js'
import type { Ignore } from './ignore.js'
import type { QueryShape } from './subject/queries.js'
import type { WriteLoad } from './subject/subject.js'
import { storeNames, type StoreProfile } from './subject/store-profile.js'

/** What is known of tables besides their schemas. Each part makes more rules speak. */
export interface AdviceOptions {
  readonly queries?: readonly QueryShape[]
  readonly writes?: readonly WriteLoad[]
  /** Of samples of rows, by {@link sampleStats}. */
  readonly stats?: readonly TableStats[]
  /** The store that the tables will be in. Without one, it is judged as a store that keeps rows in the order of their keys on many servers. */
  readonly store?: StoreProfile
  /** The schemas that existing tables have. */
  readonly before?: readonly TableSchema[]
  /** Findings that are meant, with a reason; a model can contain its own, see {@link Ignore}. */
  readonly ignore?: readonly Ignore[]
}

const conditions = ['=', 'range', 'from', 'to', 'startsWith', 'isNull']
/** More values than a query may have are refused by the planner; the advisor makes them all. */
const maxIn = 100_000

/** @throws RowkeyError `INVALID_OPTION` for what is of no table, there twice, or no number */
export function checkAdviceOptions(schemas: readonly TableSchema[], options: AdviceOptions): void {
  const names = new Set<string>()
  for (const { name } of schemas) {
    if (names.has(name)) throw refused('schemas', name, `two schemas have the name '${showName(name)}'. Give each table once.`)
    names.add(name)
  }
  for (const option of ['queries', 'writes', 'stats'] as const) {
    const list: unknown = options[option] ?? []
    if (!Array.isArray(list)) throw refused(option, list, `${option} is ${show(list)}. Give a list.`)
    const seen = new Set<unknown>()
    for (const each of list as readonly unknown[]) {
      const table = isPlainObject(each) ? each['table'] : undefined
      if (typeof table !== 'string' || !names.has(table)) {
        const known = [...names].slice(0, 5).map(showName).join(', ')
        throw refused(option, table, `${option} name the table ${show(table)}, which is not among the schemas. Give one of: ${known}.`)
      }
      if (option !== 'queries' && seen.has(table)) throw refused(option, table, `${option} has '${showName(table)}' twice. Give it once.`)
      seen.add(table)
    }
  }
  checkForms(options)
  const layouts = new Map(schemas.map(({ name, fingerprints }) => [name, fingerprints.layout]))
  for (const { table, layout } of options.stats ?? []) {
    if (layout === layouts.get(table)) continue
    throw refused(
      'stats',
      table,
      `the statistics of '${showName(table)}' are of another key or salt. Compute them again with sampleStats().`,
    )
  }
  for (const query of options.queries ?? []) checkQuery(query)
  for (const { table, distinct = {}, ...rates } of options.writes ?? []) {
    for (const [name, value] of Object.entries(rates)) checkNumber(`writes of '${showName(table)}'`, name, value, 0)
    for (const [name, value] of Object.entries(distinct)) checkNumber(`distinct of '${showName(table)}'`, name, value, 1)
  }
  const { store } = options
  if (store === undefined) return
  if (!storeNames.includes(store.name)) {
    throw refused('store', store.name, `there is no store ${show(store.name)}. Give one of: ${storeNames.join(', ')}.`)
  }
  if (store.servers !== undefined) checkNumber('store', 'servers', store.servers, 1)
  if (store.replicas !== undefined) checkNumber('store', 'replicas', store.replicas, 1)
  for (const [option, byTable] of Object.entries({ ranges: store.ranges, encodings: store.encodings })) {
    const unknown = Object.keys(byTable ?? {}).find((table) => !names.has(table))
    if (unknown !== undefined)
      throw refused(option, unknown, `${option} of the store name the table ${show(unknown)}, which is not among the schemas.`)
  }
}

/** Callers without types give anything. Members of the other lists are objects: they name their tables. */
function checkForms({ before = [], ignore = [], store, stats = [], queries = [], writes = [] }: AdviceOptions): void {
  for (const [option, given] of Object.entries({ before, ignore })) {
    if (!Array.isArray(given)) throw refused(option, given, `${option} is ${show(given)}. Give a list.`)
    for (const each of given as readonly unknown[]) checkObject(option, each)
  }
  if (store !== undefined) checkObject('store', store)
  for (const { columns } of stats) checkObject('columns of stats', columns)
  for (const { order = {} } of queries) checkObject('order', order)
  for (const { distinct = {} } of writes) checkObject('distinct', distinct)
}

function checkObject(option: string, given: unknown): void {
  if (typeof given !== 'object' || given === null) throw refused(option, given, `${option} has ${show(given)}. Give an object.`)
}

function checkQuery({ table, where, perSecond = 1, limit = 1 }: NonNullable<AdviceOptions['queries']>[number]): void {
  const query = `a query on '${showName(table)}'`
  if (!isPlainObject(where)) throw refused('where', where, `${query} has where ${show(where)}. Give an object of conditions by column.`)
  for (const [column, condition] of Object.entries(where)) {
    if (conditions.includes(condition as string)) continue
    const many: unknown = isPlainObject(condition) ? condition.in : undefined
    if (typeof many === 'number' && Number.isInteger(many) && many >= 1 && many <= maxIn) continue
    const message = `${query}: the condition on '${showName(column)}' is ${show(condition)}. Give ${showNames(conditions, "'")} or { in: how many values }.`
    throw refused('where', condition, message)
  }
  checkNumber(query, 'perSecond', perSecond, 0)
  checkNumber(query, 'limit', limit, 1)
}

function checkNumber(of: string, name: string, value: unknown, least: number): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return
  throw refused(name, value, `${of}: ${showName(name)} is ${show(value)}. Give a number from ${least}.`)
}

const refused = (option: string, value: unknown, message: string): Error =>
  new RowkeyError('INVALID_OPTION', message, { option, value: show(value) })
