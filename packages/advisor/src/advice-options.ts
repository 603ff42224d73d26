// Tested by advise.test.ts.
import { RowkeyError } from '@rowkey/codec'
import { isPlainObject, show, showName, showNames } from '@rowkey/codec/internal'
import type { TableSchema } from '@rowkey/model'
import type { TableStats } from './data/table-stats.js'
import type { Ignore } from './ignore.js'
import { fields } from './field-lists.js'
import { checkFields, fieldsOf } from './known-fields.js'
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

const optionNames = fieldsOf<AdviceOptions>({ queries: true, writes: true, stats: true, store: true, before: true, ignore: true })
const conditions = ['=', 'range', 'from', 'to', 'startsWith', 'isNull']
/** More values than a query may have are refused by the planner; the advisor makes them all. */
const maxIn = 100_000

/**
 * What {@link advise} checks at first, for callers that give it a part of what they have.
 *
 * @throws RowkeyError `INVALID_OPTION` for what is of no table, there twice, no number, or a field that does not exist
 * @example
 * ```ts
 * checkAdviceOptions([Events], { writes: [{ table: 'events', inserts: 5 }] }) //=> undefined
 * ```
 */
export function checkAdviceOptions(schemas: readonly TableSchema[], options: AdviceOptions): void {
  checkFields('advise()', options, optionNames, 'option')
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
  checkNames(schemas, options)
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
}

/** Fields and columns that do not exist are refused at every level, because a misspelt one would be as if it were not there. */
function checkNames(schemas: readonly TableSchema[], options: AdviceOptions): void {
  const { queries = [], writes = [], stats = [], ignore = [], store } = options
  const columns = new Map(schemas.map(({ name, columns }) => [name, columns.map((column) => column.name)]))
  const checkColumns = (where: string, table: string, given: object): void => {
    checkFields(`${where} '${showName(table)}'`, given, columns.get(table) ?? [], 'column')
  }
  for (const { table, where, order = {}, ...others } of queries) {
    checkFields(`a query on '${showName(table)}'`, { ...others, table }, fields.query)
    if (!isPlainObject(where)) continue // refused with its value
    checkColumns('where of a query on', table, where)
    checkColumns('order of a query on', table, order)
    for (const [column, condition] of Object.entries(where)) {
      if (isPlainObject(condition))
        checkFields(`the condition on '${showName(column)}' of '${showName(table)}'`, condition, fields.condition)
    }
  }
  for (const { distinct = {}, ...others } of writes) {
    checkFields(`writes of '${showName(others.table)}'`, others, fields.writes)
    checkColumns('distinct of', others.table, distinct)
  }
  for (const each of stats) {
    const of = `stats of '${showName(each.table)}'`
    checkFields(of, each, fields.stats)
    checkFields(`keyBytes in ${of}`, each.keyBytes, fields.keyBytes)
    checkFields(`buckets in ${of}`, each.buckets, fields.buckets)
    checkColumns('stats of', each.table, each.columns)
    for (const [name, column] of Object.entries(each.columns)) {
      checkFields(`'${showName(name)}' in ${of}`, column, fields.column)
      checkFields(`bytes of '${showName(name)}' in ${of}`, column.bytes, fields.columnBytes)
    }
  }
  for (const each of ignore) checkFields('ignore', each, fields.ignore)
  if (store === undefined) return
  checkFields('the store', store, fields.store)
  const tables = [...columns.keys()]
  for (const [option, byTable] of Object.entries({ ranges: store.ranges, encodings: store.encodings })) {
    if (byTable === undefined) continue
    checkObject(option, byTable)
    checkFields(`${option} of the store`, byTable, tables, 'table')
    for (const each of Object.values(byTable)) checkObject(option, each)
  }
  for (const [table, each] of Object.entries(store.ranges ?? {})) checkFields(`ranges of '${showName(table)}'`, each, fields.ranges)
  for (const [table, each] of Object.entries(store.encodings ?? {})) checkColumns('encodings of', table, each)
}

/** Callers without types give anything. Members of the other lists are objects: they name their tables. */
function checkForms({ before = [], ignore = [], store, stats = [], queries = [], writes = [] }: AdviceOptions): void {
  for (const [option, given] of Object.entries({ before, ignore })) {
    if (!Array.isArray(given)) throw refused(option, given, `${option} is ${show(given)}. Give a list.`)
    for (const each of given as readonly unknown[]) checkObject(option, each)
  }
  if (store !== undefined) checkObject('store', store)
  for (const { columns, keyBytes, buckets } of stats) {
    for (const [part, given] of Object.entries({ columns, keyBytes, buckets })) checkObject(`${part} of stats`, given)
    for (const column of Object.values(columns)) {
      checkObject('columns of stats', column)
      checkObject('bytes of stats', column.bytes)
    }
  }
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
