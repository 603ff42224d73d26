import { isPlainObject, isTableSchema, showName, showNames } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import type { StoreDescription } from 'rowkey/adapter'
import type { ColumnStats } from './data/column-counter.js'
import type { TableStats } from './data/table-stats.js'
import { anyObject, anyText, byName, fitting, listOf, numberFrom, objectOf, oneOf, optional, share, type Form } from './forms.js'
import type { Ignore } from './ignore.js'
import { checkFields, fieldsOf } from './known-fields.js'
import type { QueryShape } from './subject/queries.js'
import { factsOf, storeNames, type KuduEncoding, type KuduRanges, type StoreProfile } from './subject/store-profile.js'
import type { WriteLoad } from './subject/subject.js'

/** Checked where its refusal says more. */
const anything: Form = () => undefined

const conditions = ['=', 'range', 'from', 'to', 'startsWith', 'isNull']
/** More values than a query may have are refused by the planner; the advisor makes them all. */
const maxIn = 100_000
const isCount = (many: unknown): boolean => typeof many === 'number' && Number.isInteger(many) && many >= 1 && many <= maxIn

const knownCondition = fitting(
  (given) => conditions.includes(given as string) || (isPlainObject(given) && isCount(given['in'])),
  `${showNames(conditions, "'")} or { in: how many values }`,
)
const condition: Form = (given, place) => {
  if (isPlainObject(given)) checkFields(`the condition on '${showName(place.path.at(-1))}' in ${place.of}`, given, ['in'])
  knownCondition(given, place)
}

const columnNames = ({ columns }: TableSchema): readonly string[] => columns.map(({ name }) => name)
const ofColumns = (schema: TableSchema, form: Form): Form => byName(columnNames(schema), 'column', () => form)

export const schemaForm: Form = fitting(isTableSchema, 'what defineTable() or schemaOf() returns')

export const queryForm = (schema: TableSchema): Form =>
  objectOf<QueryShape>({
    table: anything,
    where: ofColumns(schema, condition),
    order: optional(ofColumns(schema, oneOf(['asc', 'desc']))),
    perSecond: optional(numberFrom(0)),
    limit: optional(numberFrom(1)),
  })

export const writesForm = (schema: TableSchema): Form =>
  objectOf<WriteLoad>({
    table: anything,
    inserts: optional(numberFrom(0)),
    updates: optional(numberFrom(0)),
    deletes: optional(numberFrom(0)),
    skew: optional(numberFrom(0)),
    distinct: optional(ofColumns(schema, numberFrom(1))),
  })

const columnStats = objectOf<ColumnStats>({
  distinct: numberFrom(0),
  top: share,
  rising: share,
  bytes: objectOf<ColumnStats['bytes']>({ mean: numberFrom(0), max: numberFrom(0), min: numberFrom(0) }),
  commonPrefix: optional(anyText),
  integers: optional(share),
  values: optional(listOf(anyText)),
})

export const statsForm = (schema: TableSchema): Form =>
  objectOf<TableStats>({
    table: anything,
    layout: anyText,
    rows: numberFrom(0),
    total: optional(numberFrom(0)),
    order: optional(oneOf(['written', 'other'])),
    duplicates: numberFrom(0),
    keyBytes: objectOf<TableStats['keyBytes']>({ mean: numberFrom(0), max: numberFrom(0) }),
    rowBytes: numberFrom(0),
    buckets: objectOf<TableStats['buckets']>({ used: numberFrom(0), of: numberFrom(1), expected: numberFrom(0), top: share }),
    columns: byName(columnNames(schema).slice(0, schema.keyLength), 'key column', () => columnStats),
  })

export const ignoreForm: Form = objectOf<Ignore>({ code: anyText, table: optional(anyText), column: optional(anyText), reason: anything })

const kuduEncodings = fieldsOf<Record<KuduEncoding, true>>({
  plain: true,
  bitshuffle: true,
  runlength: true,
  dictionary: true,
  prefix: true,
})

const isBound = (given: unknown): boolean => given === null || typeof given === 'string' || Number.isFinite(given)
const range = fitting(
  (given) => Array.isArray(given) && given.length === 2 && given.every(isBound),
  'two ends, [from, to], each a number, a text or null',
)
const rangesOf = (schema: TableSchema): Form => objectOf<KuduRanges>({ column: oneOf(columnNames(schema)), bounds: listOf(range) })

const isDescription = (given: unknown): boolean => {
  const { name, capabilities, ddl } = (given ?? {}) as Partial<StoreDescription>
  return typeof name === 'string' && typeof capabilities === 'object' && (ddl === undefined || typeof ddl === 'function')
}

export const storeForm = (schemas: readonly TableSchema[]): Form => {
  const byTable = (formOf: (schema: TableSchema) => Form): Form => {
    const forms = new Map(schemas.map((schema) => [schema.name, formOf(schema)]))
    return optional(byName([...forms.keys()], 'table', (table) => forms.get(table) as Form))
  }
  const form = objectOf<StoreProfile>({
    name: anyText,
    description: optional(fitting(isDescription, 'the description of a store, which its adapter exports')),
    options: optional(anyObject),
    servers: optional(numberFrom(1)),
    replicas: optional(numberFrom(1)),
    ranges: byTable(rangesOf),
    encodings: byTable((schema) => ofColumns(schema, oneOf(kuduEncodings))),
  })
  return (given, place) => {
    form(given, place)
    const { name, description, options = {} } = given as StoreProfile
    const own = description?.facts === undefined ? [] : [description.name]
    oneOf([...storeNames, ...own.filter((each) => !storeNames.some((known) => known === each))])(name, { ...place, path: ['name'] })
    checkFields(`options in ${place.of}`, options, ['consistency', ...(factsOf(given as StoreProfile)?.options ?? [])], 'option')
    const { consistency } = options as { readonly consistency?: unknown }
    optional(oneOf(['strong', 'eventual']))(consistency, { ...place, path: ['options', 'consistency'] })
  }
}
