// Tested by known-fields.test.ts.
import type { ColumnStats } from './data/column-counter.js'
import type { TableStats } from './data/table-stats.js'
import type { Ignore } from './ignore.js'
import { fieldsOf } from './known-fields.js'
import type { QueryShape } from './subject/queries.js'
import type { KuduRanges, StoreProfile } from './subject/store-profile.js'
import type { WriteLoad } from './subject/subject.js'

type Fields = Readonly<
  Record<
    'query' | 'condition' | 'writes' | 'ignore' | 'stats' | 'keyBytes' | 'buckets' | 'column' | 'columnBytes' | 'store' | 'ranges',
    readonly string[]
  >
>

/** What each thing that the advisor takes may have. */
export const fields: Fields = {
  query: fieldsOf<QueryShape>({ table: true, where: true, order: true, perSecond: true, limit: true }),
  condition: fieldsOf<{ in: number }>({ in: true }),
  writes: fieldsOf<WriteLoad>({ table: true, inserts: true, updates: true, deletes: true, skew: true, distinct: true }),
  ignore: fieldsOf<Ignore>({ code: true, table: true, column: true, reason: true }),
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
