import type { Page } from 'rowkey/adapter'
import { int32, nullable, text } from 'rowkey/codec'
import { createMapper, defineTable, type MapperOptions, memory } from 'rowkey'
import { pagesOf, wrapped } from '../kit/wrapped.js'
import { expect } from 'vitest'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives, namesIn, withEach, within } from './remedies.js'

// Filters, selections, bounds, reads of a whole table and its parts.
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
const readAll = (options: object) => () => hits.readAll(options as never).count()
const checkpoint = (await hits.readAll().pages().next()).value?.checkpoint ?? ''

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

const signed = createMapper(store, { cursorSecret: '0123456789abcdef' }).repository(Hits)

/** The hits of one host. */
const found = [{ host: 'web', no: 1, note: null }, { host: 'web', no: 2, note: null }, { host: 'web', no: 3, note: null }] // prettier-ignore
/** The scan, or readAll(), is no longer refused. */
const reads = (options: object, count = found.length): Remedy => gives(() => hits.scan({ host: 'web' }, options as never).count(), count)
const readsAll = (options: object): Remedy => gives(() => hits.readAll(options as never).count(), found.length)
/** A valid value for each option of readAll() and of parts(). */
const valid: Readonly<Record<string, unknown>> = {
  checkpoint: undefined,
  parallel: 2,
  select: ['no'],
  withExpiry: false,
  filter: () => true,
  consistency: 'eventual',
  signal: new AbortController().signal,
  timeout: '1d',
  deadline: 8e15,
}
/** A checkpoint as a page returned it leads to the rows after that page, and none leads to all. */
const ownCheckpoint = (table: typeof hits = hits): Remedies => ({
  'Pass the checkpoint of a page of readAll() unchanged': gives(async () => {
    const page = (await table.readAll().pages().next()).value as { checkpoint: string; rows: readonly unknown[] }
    return page.rows.length + (await table.readAll({ checkpoint: page.checkpoint }).count())
  }, found.length),
  'start without one': gives(() => table.readAll().count(), found.length),
})
const sameStore: Remedies = {
  'Continue on the same table and store': gives(async () => {
    const page = (await hits.readAll().pages().next()).value as { rows: readonly unknown[] }
    return page.rows.length + (await hits.readAll({ checkpoint }).count())
  }, found.length),
  'start without one': readsAll({}),
}

export const readErrors: readonly Provocation[] = [
  ['a filter that is no function', scan({ filter: { no: 1 } }), { 'Give a function': reads({ filter: () => true }) }],
  [
    'an async filter',
    scan({ filter: async () => true }),
    { 'Return true or false; it cannot be async': reads({ filter: ({ no }: { no: number }) => no > 1 }, 2) },
  ],
  [
    'a selection that is no list',
    scan({ select: 'no' }),
    {
      'Give a list of at most 1000 columns': gives(
        (said) =>
          hits.scan({ host: 'web' }, { select: Array.from({ length: Number(/\d+/.exec(said)?.[0]) }, () => 'no' as const) }).toArray(),
        found.map(({ no }) => ({ no })),
      ),
    },
  ],
  [
    'a deletion with a selection of an unknown column',
    () => hits.scan({ host: 'web' }, { select: ['nte'] as never }).deleteAll(),
    {
      'Its columns are host, no, note': async (said) => {
        expect(await hits.scan({ host: 'web' }, { select: namesIn(said) as never }).deleteAll()).toBe(found.length)
        await hits.putMany(found)
      },
    },
  ],
  [
    'an async filter of readAll()',
    readAll({ filter: async () => true }),
    { 'Return true or false; it cannot be async': readsAll({ filter: () => true }) },
  ],
  [
    'a selection of an unknown column in readAll()',
    readAll({ select: ['nte'] }),
    { 'Its columns are host, no, note': withEach((name) => hits.readAll({ select: [name] as never }).count()) },
  ],
  [
    'a selection of an unknown column',
    scan({ select: ['nte'] }),
    { 'Its columns are host, no, note': withEach((name) => hits.scan({ host: 'web' }, { select: [name] as never }).page()) },
  ],
  [
    'a bound that is no key',
    scan({ after: 5 }),
    {
      'Give a key, its first columns, or a row': gives(
        () =>
          Promise.all(
            [{ host: 'web', no: 1 }, { host: 'web' }, found[0]].map((after) => hits.scan({ host: 'web' }, { after } as never).count()),
          ),
        [2, 0, 2],
      ),
    },
  ],
  [
    'a bound that leaves out a column before others',
    () => hits.scan({ host: { gt: 'a' } }, { after: { no: 1 } }).page(),
    { "Give 'host' too": gives(() => hits.scan({ host: { gt: 'a' } }, { after: { host: 'web', no: 1 } }).count(), 2) },
  ],
  [
    'two starts',
    scan({ from: { no: 1 }, after: { no: 1 } }),
    {
      'Give one of them': gives(
        () =>
          Promise.all([hits.scan({ host: 'web' }, { from: { no: 1 } }).count(), hits.scan({ host: 'web' }, { after: { no: 1 } }).count()]),
        [3, 2],
      ),
    },
  ],
  [
    'a cap of readAll(), which has none',
    readAll({ maxExamined: 5 }),
    {
      'Its options are checkpoint, parallel, select, withExpiry, filter, consistency, signal, timeout, deadline': withEach((name) =>
        readAll({ [name]: valid[name] })(),
      ),
    },
  ],
  [
    'readAll() of no part at a time',
    readAll({ parallel: 0 }),
    { 'Give a whole number from 1 to 16': within((parallel: number) => readAll({ parallel })()) },
  ],
  [
    'readAll() of too many parts at a time',
    readAll({ parallel: 17 }),
    { 'Give a whole number from 1 to 16': within((parallel: number) => readAll({ parallel })()) },
  ],
  [
    'a checkpoint that is no text',
    readAll({ checkpoint: 5 }),
    { 'Pass it unchanged': sameStore['Continue on the same table and store'] as Remedy, 'start without one': readsAll({}) },
  ],
  ['a checkpoint that was cut off', readAll({ checkpoint: checkpoint.slice(0, 20) }), ownCheckpoint()],
  ['a checkpoint of a later version', readAll({ checkpoint: `_w${checkpoint.slice(2)}` }), ownCheckpoint()],
  ['a checkpoint of another layout', () => other.repository(OtherKey).readAll({ checkpoint }).count(), sameStore],
  ['a checkpoint of another store', () => answering({}).readAll({ checkpoint }).count(), sameStore],
  ['a checkpoint without its signature', () => signed.readAll({ checkpoint }).count(), ownCheckpoint(signed)],
  [
    'a part, given to a page',
    async () => hits.scan({ host: 'web' }).page({ cursor: (await hits.parts(2))[0] }),
    {
      'Pass the cursor of a page unchanged': gives(
        async () =>
          hits
            .scan({ host: 'web' })
            .page({ cursor: (await hits.scan({ host: 'web' }).page({ size: 1 })).cursor ?? '' })
            .then(({ rows }) => rows.length),
        2,
      ),
      'start without one': reads({}),
    },
  ],
  [
    'parts that are no number',
    () => hits.parts('8' as never),
    { 'Give a whole number from 1 to 1024': within((count: number) => hits.parts(count)) },
  ],
  ['too many parts', () => hits.parts(1025), { 'Give a whole number from 1 to 1024': within((count: number) => hits.parts(count)) }],
  [
    'parts with an unknown option',
    () => hits.parts(2, { parallel: 2 } as never),
    { 'Its options are signal, timeout, deadline': withEach((name) => hits.parts(2, { [name]: valid[name] })) },
  ],
  [
    'parts after their deadline',
    () => hits.parts(2, { deadline: 1_700_000_000_000 }),
    {
      'Allow more time': gives(async () => {
        const parts = await hits.parts(2, { deadline: 8e15 })
        const counts = await Promise.all(parts.map((checkpoint) => hits.readAll({ checkpoint }).count()))
        return counts.reduce((sum, count) => sum + count, 0)
      }, found.length),
    },
  ],
  ['an adapter without any split', () => answering({ splits: [] }).parts(2), 'a fault of the adapter'],
  ['an adapter with too many splits', () => answering({ splits: ['a', 'b', 'c'] }).parts(2), 'a fault of the adapter'],
  ['an adapter with the same split twice', () => answering({ splits: ['a', 'a'] }).parts(2), 'a fault of the adapter'],
  ['an adapter with a long split', () => answering({ splits: ['x'.repeat(4000)] }).parts(2), 'a fault of the adapter'],
  [
    'a page of a full scan without a checkpoint',
    () =>
      answering({ fullScan: [pageOf(undefined)] })
        .readAll()
        .count(),
    'a fault of the adapter',
  ],
  [
    'a page of a full scan that does not move on',
    () =>
      answering({ fullScan: [pageOf('a'), pageOf('a')] })
        .readAll()
        .count(),
    'a fault of the adapter',
  ],
  [
    'a page of a full scan with a long checkpoint',
    () =>
      answering({ fullScan: [pageOf('x'.repeat(100_000))] })
        .readAll()
        .count(),
    'a fault of the adapter',
  ],
  [
    'a page of a part with a long checkpoint',
    () =>
      answering({ splits: ['a', 'b'], fullScan: [pageOf('x'.repeat(4000))] })
        .readAll({ parallel: 2 })
        .count(),
    'a fault of the adapter',
  ],
]
