import { dictionary, int32, nullable, text } from 'rowkey/codec'
import { createMapper, defineTable } from 'rowkey'
import { expect } from 'vitest'
import { columns, copied, db, events, Events, key, orders, row, rows, store, where } from './events.js'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives, namesIn, withEach, within } from './remedies.js'

// Plans of scans, their orders, options and caps.

const Numbers = defineTable('numbers', {
  columns: { no: int32(), note: nullable(text()) },
  key: ['no'],
  indexes: { byNote: { key: ['note'] } },
})
const Kinds = defineTable('kinds', { columns: { kind: dictionary({ a: 'z', b: 'y' }), note: nullable(text()) }, key: ['kind'] })
await db.ensureTables([Numbers, Kinds])
const scan =
  (predicate: unknown, options: object = {}) =>
  () =>
    events.scan(predicate as never, options as never).page()

/** All rows, however many calls it takes. */
const times = [2000, 1000, 0]
/** The scan is no longer refused and returns all rows. */
const all = (predicate: unknown, options: object = {}): Remedy =>
  gives(async () => (await scan(predicate, options)()).rows.map(({ at }) => at.getTime()), times)

/** The column is bound in each of the ways that the words list. */
const bound =
  (of: (typeof db)['repository'] extends (model: never) => infer R ? R : never, column: string, value: unknown): Remedy =>
  async (said) => {
    const ways = said.replace(/^Bind '\w+' by /, '').split(/, | or /)
    const conditions: Readonly<Record<string, unknown>> = {
      'a value': value,
      in: { in: [value] },
      'a range': { gte: value },
      startsWith: { startsWith: value },
    }
    expect(ways.length).toBeGreaterThan(1)
    for (const way of ways) expect(await (of as typeof events).scan({ [column]: conditions[way] } as never).page(), way).toBeDefined()
  }
const full: Remedies = {
  'add an index that starts with the columns you query by': gives(async () => {
    const ByLevel = defineTable('events_by_level', { columns, key: ['host', 'kind', 'at'], indexes: { byLevel: { key: ['level'] } } })
    return (await copied(events, ByLevel)).scan({ level: 1 }, { index: 'byLevel' }).count()
  }, rows.length),
  'pass { unbounded: true }': gives(async () => (await scan({ level: 1 }, { unbounded: true })()).rows.length, rows.length),
}

const inItsOrder = 'Its key has the order (host asc, kind asc, at desc), so a scan returns that order or exactly its reverse'
const ownOrder: Remedy = async () => {
  const [forwards, backwards] = [
    await scan(where, { order: { host: 'asc', at: 'desc' } })(),
    await scan(where, { order: { host: 'desc', at: 'asc' } })(),
  ]
  expect(forwards.rows).toEqual(backwards.rows.toReversed())
  expect(forwards.rows).toHaveLength(rows.length)
}
const sorted: Remedies = {
  'sort in code': gives(async () => (await events.scan(where).toArray()).sort((a, b) => a.level - b.level).length, rows.length),
}
const inOrder = (key: readonly string[], order: object): Remedies => ({
  [`${inItsOrder}. For another order, add a table with that key`]: async (said, error) => {
    await ownOrder(said, error)
    const Other = defineTable(`events_by_${key.join('_')}`, { columns, key: key as ['host'] })
    const other = await copied(events, Other)
    expect((await other.scan({}, { order, unbounded: true } as never).page()).rows).toHaveLength(rows.length)
  },
  ...sorted,
})

/** A valid value for each option of a scan. */
const options: Readonly<Record<string, unknown>> = {
  order: { at: 'desc' },
  limit: 10,
  from: key,
  after: { at: new Date(5000) },
  to: key,
  before: key,
  withExpiry: false,
  select: ['at'],
  filter: () => true,
  consistency: 'strong',
  signal: new AbortController().signal,
  maxRanges: 10,
  maxFanOut: 16,
  unbounded: true,
  maxExamined: 10,
  timeout: '1d',
  deadline: 8e15,
  prefetch: true,
}

export const scanErrors: readonly Provocation[] = [
  [
    'a scan that binds no first column',
    scan({ level: 1 }),
    { "Bind 'host' by a value, in, a range or startsWith": bound(events, 'host', 'web'), ...full },
  ],
  [
    'a scan that binds no first column, which is a number',
    () =>
      db
        .repository(Numbers)
        .scan({} as never)
        .page(),
    { "Bind 'no' by a value, in or a range": bound(db.repository(Numbers), 'no', 1), ...full },
  ],
  [
    'a scan that binds no first column, which has no order',
    () =>
      db
        .repository(Kinds)
        .scan({} as never)
        .page(),
    { "Bind 'kind' by a value or in": bound(db.repository(Kinds), 'kind', 'a'), ...full },
  ],
  [
    'a scan that binds no partition',
    () => orders.scan({ no: { gt: 1 } } as never).page(),
    {
      "does not bind partition column 'buyer' by = or in, so it names no partition. Bind it": gives(
        async () => [
          await orders.scan({ buyer: 'ann', no: { gt: 1 } }).count(),
          await orders.scan({ buyer: { in: ['ann', 'bob'] }, no: { gt: 1 } }).count(),
        ],
        [2, 2],
      ),
    },
  ],
  [
    'a scan of too many buckets',
    scan({ host: 'web' }, { maxFanOut: 8 }),
    {
      "Bind the columns of the salt ('host', 'kind') by = or in": async (said, error) => {
        expect(namesIn(said)).toEqual(['host', 'kind'])
        await all(where, { maxFanOut: 8 })(said, error)
        await all({ host: { in: ['web'] }, kind: { in: ['login', 'logout'] } }, { maxFanOut: 8 })(said, error)
      },
      'raise maxFanOut': (said, error) => all({ host: 'web' }, { maxFanOut: error.details['fanOut'] })(said, error),
      'To read the whole table, use readAll()': gives(() => events.readAll().count(), rows.length),
    },
  ],
  [
    'a scan of too many partitions',
    () => orders.scan({ buyer: { in: ['ann', 'bob', 'eve'] } }, { maxRanges: 2 }).page(),
    {
      'Query fewer at a time': gives(() => orders.scan({ buyer: { in: ['ann', 'bob'] } }, { maxRanges: 2 }).count(), 3),
      'raise maxRanges': gives(
        (_, { details }) => orders.scan({ buyer: { in: ['ann', 'bob', 'eve'] } }, { maxRanges: details['ranges'] as number }).count(),
        3,
      ),
    },
  ],
  [
    'a merge of too many values',
    () => orders.scan({ buyer: { in: ['ann', 'bob', 'eve'] } }, { order: { no: 'asc' }, maxFanOut: 2 }).page(),
    {
      'Name fewer values': gives(() => orders.scan({ buyer: { in: ['ann', 'bob'] } }, { order: { no: 'asc' }, maxFanOut: 2 }).count(), 3),
      'raise maxFanOut': gives(
        (_, { details }) =>
          orders.scan({ buyer: { in: ['ann', 'bob', 'eve'] } }, { order: { no: 'asc' }, maxFanOut: details['fanOut'] as number }).count(),
        3,
      ),
    },
  ],
  [
    'an order that the key does not have',
    scan(where, { order: { level: 'asc' } }),
    inOrder(['level', 'host', 'kind', 'at'], { level: 'asc' }),
  ],
  [
    'an order that leaves out a column',
    scan({ host: 'web' }, { order: { at: 'desc' } }),
    {
      "'kind' comes before 'at' in the key, and the query does not name its values by = or in": all(where, { order: { at: 'desc' } }),
      ...inOrder(['host', 'at', 'kind'], { host: 'asc', at: 'desc' }),
    },
  ],
  [
    'an order of an unordered column',
    scan({ host: 'web' }, { order: { kind: 'asc' } }),
    { [`${inItsOrder}. For another order, sort in code`]: async (said, error) => { await ownOrder(said, error); await sorted['sort in code']?.(said, error) } }, // prettier-ignore
  ],
  [
    'an order in an unknown direction',
    scan(where, { order: { at: 'up' } }),
    { "give 'asc' or 'desc'": withEach((at) => scan(where, { order: { at } })()), ...inOrder(['at', 'host', 'kind'], { at: 'desc' }) },
  ],
  [
    'a page of size 0',
    () => events.scan(where).page({ size: 0 }),
    { 'Give a whole number from 1': within((size: number) => events.scan(where).page({ size })) },
  ],
  [
    'an unknown option of a page',
    () => events.scan(where).page({ limit: 3 } as object),
    { 'Its options are size, cursor': withEach((name) => events.scan(where).page({ [name]: { size: 3, cursor: undefined }[name] })) },
  ],
  ['a limit of 0', scan(where, { limit: 0 }), { 'Give a whole number from 1': within((limit: number) => scan(where, { limit })()) }],
  [
    'more ranges than a plan can have',
    scan(where, { maxRanges: 100_001 }),
    { 'Give a whole number from 1 to 100000': within((maxRanges: number) => scan(where, { maxRanges })()) },
  ],
  [
    'an unknown option',
    scan(where, { limt: 3 }),
    {
      'Its options are order, limit, from, after, to, before, select, withExpiry, filter, consistency, signal, maxRanges, maxFanOut, unbounded, maxExamined, timeout, deadline, prefetch, index':
        withEach((name) =>
          name === 'index'
            ? db.repository(Numbers).scan({ note: 'x' }, { index: 'byNote' }).page()
            : scan(where, { [name]: options[name] })(),
        ),
    },
  ],
  [
    'an empty secret',
    () => createMapper(store, { cursorSecret: '' }),
    {
      'Give at least 16 random bytes, as text or Uint8Array': (said) => {
        const least = Number(/\d+/.exec(said)?.[0])
        for (const given of ['x'.repeat(least), new Uint8Array(least).fill(7)])
          expect(createMapper(store, { cursorSecret: given })).toBeDefined()
        for (const given of ['x'.repeat(least - 1), new Uint8Array(least - 1)])
          expect(() => createMapper(store, { cursorSecret: given })).toThrow('INVALID_OPTION')
      },
      'leave it out': gives(() => createMapper(store, {}).adapter.name, 'memory'),
    },
  ],
  [
    'a clock that returns NaN',
    () =>
      createMapper(store, { clock: () => NaN })
        .repository(Events)
        .put(row),
    {
      'Return epoch milliseconds': gives(() =>
        createMapper(store, { clock: () => 0 })
          .repository(Events)
          .put(row),
      ),
    },
  ],
  [
    'a scan that examines too much',
    () => events.scan(where, { maxExamined: 1 }).toArray(),
    {
      'Use page(), which returns what it has and a cursor': pageByPage({ maxExamined: 1 }),
      'allow more': gives(
        () =>
          events
            .scan(where, { maxExamined: 4 })
            .toArray()
            .then((found) => found.length),
        rows.length,
      ),
    },
  ],
  [
    'an iteration that examines too much',
    async () => { for await (const _ of events.scan(where, { maxExamined: 1 })); }, // prettier-ignore
    {
      'Continue with page({ cursor: details.cursor })': async () => {
        const found: number[] = []
        const iterate = async (): Promise<void> => {
          for await (const { at } of events.scan(where, { maxExamined: 1 })) found.push(at.getTime())
        }
        const error: unknown = await iterate().catch((reason: unknown) => reason)
        const { cursor } = (error as { details: { cursor: string } }).details
        const page = await events.scan(where).page({ cursor })
        expect([...found, ...page.rows.map(({ at }) => at.getTime())]).toEqual(times)
      },
      'allow more': all(where, { maxExamined: 4 }),
    },
  ],
  [
    'a scan after its deadline',
    () => events.scan(where, { deadline: new Date(0) }).count(),
    {
      'Use page(), which returns what it has and a cursor': async () => {
        const page = await events.scan(where, { deadline: new Date(0) }).page()
        const rest = await events.scan(where).page({ cursor: page.cursor })
        expect([...page.rows, ...rest.rows]).toHaveLength(rows.length)
      },
      'allow more': all(where, { deadline: 8e15 }),
    },
  ],
  [
    'a deletion after its deadline',
    () => events.scan(where, { deadline: new Date(0) }).deleteAll(),
    {
      'Continue with deleteAll({ cursor: details.cursor })': gives(async (_, { details }) => {
        const count = await events.scan(where).deleteAll({ cursor: details['cursor'] as string })
        await events.putMany(rows)
        return count
      }, rows.length),
      'allow more': all(where, { deadline: 8e15 }),
    },
  ],
  [
    'readAll() after its deadline',
    () => events.readAll({ deadline: 1 }).count(),
    {
      'Use pages(), which can be continued': gives(async () => {
        let count = 0
        for await (const page of events.readAll().pages()) count += page.rows.length
        return count
      }, rows.length),
      'allow more time': gives(() => events.readAll({ deadline: 8e15 }).count(), rows.length),
    },
  ],
  [
    'an iteration of readAll() after its deadline',
    async () => { for await (const _ of events.readAll({ deadline: 1 })); }, // prettier-ignore
    {
      'Continue with the checkpoint in details.cursor': gives(
        (_, { details }) => events.readAll({ checkpoint: details['cursor'] as string }).count(),
        rows.length,
      ),
      'allow more time': gives(() => events.readAll({ deadline: 8e15 }).count(), rows.length),
    },
  ],
]

/** All rows come in pages, each of which continues after the one before. */
function pageByPage(options: object): Remedy {
  return async () => {
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await events.scan(where, options).page({ cursor })
      found.push(...page.rows.map(({ at }) => at.getTime()))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(found).toEqual(times)
  }
}
