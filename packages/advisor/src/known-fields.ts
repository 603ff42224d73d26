// Tested by known-fields.test.ts.
import { RowkeyError } from '@rowkey/codec'
import { nearestName, show, showNames } from '@rowkey/codec/internal'
import type { ColumnStats } from './data/column-counter.js'
import type { SampleOptions, TableStats } from './data/table-stats.js'
import type { Ignore } from './ignore.js'
import type { QueryShape } from './subject/queries.js'
import type { KuduRanges, StoreProfile } from './subject/store-profile.js'
import type { WriteLoad } from './subject/subject.js'
import type { AdviceOptions } from './advice-options.js'

/** All fields of an interface: the compiler refuses a list that lacks one, or has another. */
const fieldsOf = <T extends object>(all: Readonly<Record<keyof Required<T>, true>>): readonly string[] => Object.freeze(Object.keys(all))

type Fields = Readonly<
  Record<
    | 'options'
    | 'query'
    | 'condition'
    | 'writes'
    | 'ignore'
    | 'sample'
    | 'stats'
    | 'keyBytes'
    | 'buckets'
    | 'column'
    | 'columnBytes'
    | 'store'
    | 'ranges',
    readonly string[]
  >
>

/** What each thing that the advisor takes may have. */
export const fields: Fields = {
  options: fieldsOf<AdviceOptions>({ queries: true, writes: true, stats: true, store: true, before: true, ignore: true }),
  query: fieldsOf<QueryShape>({ table: true, where: true, order: true, perSecond: true, limit: true }),
  condition: fieldsOf<{ in: number }>({ in: true }),
  writes: fieldsOf<WriteLoad>({ table: true, inserts: true, updates: true, deletes: true, skew: true, distinct: true }),
  ignore: fieldsOf<Ignore>({ code: true, table: true, column: true, reason: true }),
  sample: fieldsOf<SampleOptions>({ total: true, order: true }),
  stats: fieldsOf<TableStats>({
    table: true,
    layout: true,
    rows: true,
    total: true,
    order: true,
    duplicates: true,
    keyBytes: true,
    rowBytes: true,
    buckets: true,
    columns: true,
  }),
  keyBytes: fieldsOf<TableStats['keyBytes']>({ mean: true, max: true }),
  buckets: fieldsOf<TableStats['buckets']>({ used: true, of: true, expected: true, top: true }),
  column: fieldsOf<ColumnStats>({ distinct: true, top: true, rising: true, bytes: true, commonPrefix: true, integers: true, values: true }),
  columnBytes: fieldsOf<ColumnStats['bytes']>({ mean: true, max: true, min: true }),
  store: fieldsOf<StoreProfile>({
    name: true,
    description: true,
    options: true,
    servers: true,
    replicas: true,
    ranges: true,
    encodings: true,
  }),
  ranges: fieldsOf<KuduRanges>({ column: true, bounds: true }),
}

/**
 * Refuses a field that does not exist: a misspelt one would be ignored in silence, and the advice be wrong.
 *
 * @param where whose field it is, as the start of a sentence
 * @throws RowkeyError `INVALID_OPTION` that names the nearest known field
 */
export function checkFields(where: string, given: object, known: readonly string[], what = 'field'): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, known)
  const all = known.length > 12 ? '' : ` There are: ${showNames(known)}.`
  const message = `${where} has the ${what} ${show(unknown)}, which does not exist.${nearest === undefined ? '' : ` Did you mean ${show(nearest)}?${all}`}`
  throw new RowkeyError('INVALID_OPTION', message, { option: unknown, value: show((given as Record<string, unknown>)[unknown]) })
}
