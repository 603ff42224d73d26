import type { Page } from '@rowkey/store/adapter'
import { int32, nullable, text } from '@rowkey/codec'
import { createMapper, type MapperOptions } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { pagesOf, wrapped } from '../store/wrapped.js'
import type { Provocation } from './provocation.js'

// Filters, selections, bounds, full scans and their splits.
const columns = { host: text(), no: int32(), note: nullable(text()) }
const Hits = defineTable('hits', { columns, key: ['host', 'no'] })
const OtherKey = defineTable('hits', { columns, key: ['no', 'host'] })

const store = memory()
const db = createMapper(store)
await db.ensureTables([Hits])
const hits = db.repository(Hits)
await hits.putMany([1, 2, 3].map((no) => ({ host: 'web', no })))
const other = createMapper(memory())
await other.ensureTables([OtherKey])

const scan = (options: object) => () => hits.scan({ host: 'web' }, options as never).page()
const fullScan = (options: object) => () => hits.fullScan(options as never).count()
const checkpoint = (await hits.fullScan().pages().next()).value?.checkpoint ?? ''

/** The table in a store whose tables answer differently. */
function answering(answers: { readonly splits?: readonly string[]; readonly fullScan?: readonly Page[] }, options: MapperOptions = {}) {
  const inner = wrapped(store, {})
  const adapter: typeof inner = {
    ...inner,
    table: (schema, catalog) => {
      const table = inner.table(schema, catalog)
      const { splits, fullScan: pages } = answers
      return {
        ...table,
        ...(splits === undefined ? {} : { splits: () => splits }),
        ...(pages === undefined ? {} : { fullScan: () => pagesOf(...pages) }),
      }
    },
  }
  return createMapper(adapter, options).repository(Hits)
}
const row = ['web', 1, null]
const pageOf = (next: string | undefined): Page => ({ rows: [row], examined: 1, ...(next === undefined ? {} : { checkpoint: next }) })

export const readErrors: readonly Provocation[] = [
  ['a filter that is no function', scan({ filter: { no: 1 } })],
  ['an async filter', scan({ filter: async () => true })],
  ['a selection that is no list', scan({ select: 'no' })],
  ['a deletion with a selection of an unknown column', () => hits.scan({ host: 'web' }, { select: ['nte'] as never }).deleteAll()],
  ['an async filter of a full scan', fullScan({ filter: async () => true })],
  ['a selection of an unknown column in a full scan', fullScan({ select: ['nte'] })],
  ['a bound that is no key', scan({ after: 5 })],
  ['a bound that leaves out a column before others', () => hits.scan({ host: { gt: 'a' } }, { after: { no: 1 } }).page()],
  ['two starts', scan({ from: { no: 1 }, after: { no: 1 } })],
  ['a cap of a full scan, which has none', fullScan({ maxExamined: 5 })],
  ['a full scan of no part at a time', fullScan({ parallel: 0 })],
  ['a full scan of too many parts at a time', fullScan({ parallel: 17 })],
  ['a checkpoint that is no text', fullScan({ checkpoint: 5 })],
  ['a checkpoint that was cut off', fullScan({ checkpoint: checkpoint.slice(0, 20) })],
  ['a checkpoint of a later version', fullScan({ checkpoint: `_w${checkpoint.slice(2)}` })],
  ['a checkpoint of another layout', () => other.repository(OtherKey).fullScan({ checkpoint }).count()],
  ['a checkpoint of another store', () => answering({}).fullScan({ checkpoint }).count()],
  [
    'a checkpoint without its signature',
    () => createMapper(store, { cursorSecret: '0123456789abcdef' }).repository(Hits).fullScan({ checkpoint }).count(),
  ],
  ['a split, given to a scan', async () => hits.scan({ host: 'web' }, { cursor: (await hits.splits(2))[0] }).page()],
  ['splits that are no number', () => hits.splits('8' as never)],
  ['too many splits', () => hits.splits(1025)],
  ['splits with an unknown option', () => hits.splits(2, { parallel: 2 } as never)],
  ['splits after their deadline', () => hits.splits(2, { deadline: 1_700_000_000_000 })],
  ['an adapter without any split', () => answering({ splits: [] }).splits(2)],
  ['an adapter with too many splits', () => answering({ splits: ['a', 'b', 'c'] }).splits(2)],
  ['an adapter with the same split twice', () => answering({ splits: ['a', 'a'] }).splits(2)],
  ['an adapter with a long split', () => answering({ splits: ['x'.repeat(4000)] }).splits(2)],
  [
    'a page of a full scan without a checkpoint',
    () =>
      answering({ fullScan: [pageOf(undefined)] })
        .fullScan()
        .count(),
  ],
  [
    'a page of a full scan that does not move on',
    () =>
      answering({ fullScan: [pageOf('a'), pageOf('a')] })
        .fullScan()
        .count(),
  ],
  [
    'a page of a full scan with a long checkpoint',
    () =>
      answering({ fullScan: [pageOf('x'.repeat(100_000))] })
        .fullScan()
        .count(),
  ],
  [
    'a page of a part with a long checkpoint',
    () =>
      answering({ splits: ['a', 'b'], fullScan: [pageOf('x'.repeat(4000))] })
        .fullScan({ parallel: 2 })
        .count(),
  ],
]
