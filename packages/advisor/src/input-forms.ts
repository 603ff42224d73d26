import { durationForm, durationMs, isPlainObject, isTableSchema, show, showName, showNames } from 'rowkey/internal'
import { schemaOf, type Model, type TableSchema } from 'rowkey'
import { knownStores, type StoreDescription } from 'rowkey/adapter'
import type { ColumnStats } from './data/column-counter.js'
import type { TableStats } from './data/table-stats.js'
import {
  anyText,
  byName,
  fitting,
  listOf,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  refused,
  share,
  wholeFrom,
  wrong,
  type Form,
  type Place,
} from './forms.js'
import type { Ignore } from './ignore.js'
import { checkFields, fieldsOf } from './known-fields.js'
import type { QueryShape } from './subject/queries.js'
import { factsOf, profileOf, type KuduEncoding, type KuduOptions, type KuduRanges, type StoreOptions } from './subject/store-profile.js'
import type { WriteLoad } from './subject/subject.js'

/** Checked where its refusal says more. */
const anything: Form = () => undefined

const lows = ['gt', 'gte']
const highs = ['lt', 'lte']
const conditions = ['=', ...lows, ...highs, 'startsWith', 'isNull']
/** More values than a query may have are refused by the planner; the advisor makes them all. */
const maxIn = 100_000
const isCount = (many: unknown): boolean => typeof many === 'number' && Number.isInteger(many) && many >= 1 && many <= maxIn
const isRange = (given: unknown): boolean =>
  Array.isArray(given) && given.length === 2 && lows.includes(given[0] as string) && highs.includes(given[1] as string)

const knownCondition = fitting(
  (given) => conditions.includes(given as string) || isRange(given) || (isPlainObject(given) && isCount(given['in'])),
  `${showNames(conditions, "'")}, two ends such as ['gte', 'lt'], or { in: how many values }`,
)
const condition: Form = (given, place) => {
  if (isPlainObject(given)) {
    const bare = withoutValues(given)
    if (bare !== undefined) throw wrong(given, place, `Give ${bare}: conditions are without values here.`)
    checkFields(`the condition on '${showName(place.path.at(-1))}' in ${place.of}`, given, ['in'])
  }
  knownCondition(given, place)
}

/** The code of a condition that was given as `scan` takes it, with values. */
function withoutValues(given: Readonly<Record<string, unknown>>): string | undefined {
  const operators = Object.keys(given)
  const [low, high] = [lows, highs].map((ends) => operators.find((operator) => ends.includes(operator)))
  if (low !== undefined && high !== undefined) return `['${low}', '${high}']`
  if (Array.isArray(given['in'])) return `{ in: ${given['in'].length} }`
  const one = operators.find((operator) => operator !== '=' && conditions.includes(operator))
  return one === undefined ? undefined : `'${one}'`
}

const columnNames = ({ columns }: TableSchema): readonly string[] => columns.map(({ name }) => name)
const ofColumns = (schema: TableSchema, form: Form): Form => byName(columnNames(schema), 'column', () => form)

const modelForm = fitting(
  (given) => isTableSchema(given) || typeof given === 'function',
  'what defineTable() or schemaFromJSON() returns, or a decorated class',
)

/** The schemas of one model or many. @throws RowkeyError as {@link schemaOf} for a class */
export function schemasOf(given: Model | readonly Model[], place: Place): readonly TableSchema[] {
  const models: readonly Model[] = Array.isArray(given) ? given : [given as Model]
  for (const model of models) modelForm(model, place)
  return models.map(schemaOf)
}

/** The name of an index that exists. */
const indexForm = ({ name, indexes }: TableSchema): Form =>
  indexes.length === 0
    ? (given, place) => {
        throw wrong(given, place, `'${showName(name)}' has no indexes, so leave it out.`)
      }
    : oneOf(indexes.map((index) => index.name))

export const queryForm = (schema: TableSchema): Form => {
  const columns = ofColumns(schema, oneOf(['asc', 'desc']))
  return objectOf<QueryShape>({
    table: anything,
    where: ofColumns(schema, condition),
    order: optional((given, place) => (typeof given === 'string' ? oneOf(['reverse'])(given, place) : columns(given, place))),
    index: optional(indexForm(schema)),
    span: optional(fitting((given) => durationMs(given) !== undefined, durationForm)),
    limit: optional(wholeFrom(1)),
    size: optional(wholeFrom(1)),
    consistency: optional(oneOf(['strong', 'eventual'])),
    perSecond: optional(numberFrom(0)),
  })
}

export const writesForm = (schema: TableSchema): Form =>
  objectOf<WriteLoad>({
    table: anything,
    perSecond: optional(
      objectOf<NonNullable<WriteLoad['perSecond']>>({
        inserts: optional(numberFrom(0)),
        updates: optional(numberFrom(0)),
        deletes: optional(numberFrom(0)),
      }),
    ),
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

const drawnForm = fitting(
  (given) => typeof given === 'string' && !/[^0-9a-f ]/.test(given),
  'the rowkeys that sampleStats() drew, in hexadecimal',
)

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
    drawn: optional(drawnForm),
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

const knownNames = Object.keys(knownStores).sort()
const description = fitting(isDescription, `${showNames(knownNames, "'")}, or the description of a store, which its adapter exports`)
export const storeForm: Form = (given, place) => (typeof given === 'string' ? oneOf(knownNames) : description)(given, place)

export const serversForm: Form = numberFrom(1)

export const kuduForm = (schemas: readonly TableSchema[]): Form => {
  const byTable = (formOf: (schema: TableSchema) => Form): Form => {
    const forms = new Map(schemas.map((schema) => [schema.name, formOf(schema)]))
    return optional(byName([...forms.keys()], 'table', (table) => forms.get(table) as Form))
  }
  return objectOf<KuduOptions>({
    replicas: optional(numberFrom(1)),
    ranges: byTable(rangesOf),
    encodings: byTable((schema) => ofColumns(schema, oneOf(kuduEncodings))),
  })
}

/** What is about the store, as a whole. @throws RowkeyError `INVALID_OPTION` if there is none that it could be about */
export function checkStore(options: StoreOptions): void {
  const { store, storeOptions, servers, kudu } = options
  const profile = profileOf(options)
  for (const [name, value] of Object.entries({ storeOptions, servers })) {
    if (value !== undefined && profile === undefined)
      throw refused(name, value, `${name} is ${show(value)}, but there is no store. Give store too.`)
  }
  if (kudu !== undefined && profile?.name !== 'kudu')
    throw refused('kudu', store, `kudu is given, but the store is ${show(profile?.name)}. Give store: 'kudu', or leave kudu out.`)
  if (storeOptions !== undefined) checkFields('storeOptions', storeOptions, factsOf(profile)?.options ?? [], 'option')
}
