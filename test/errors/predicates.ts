import { desc, dictionary, json, text, timestamp } from 'rowkey/codec'
import { createMapper, defineTable, memory } from 'rowkey'
import { columns, db, events, Events, orders, rows, salt, store, where } from './events.js'
import { expect } from 'vitest'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives, withEach } from './remedies.js'

// Predicates, and cursors and checkpoints that continue a scan.

const Twin = defineTable('twins', {
  columns: { host: text(), kind: dictionary({ login: 'z', logout: 'a' }), at: desc(timestamp('ms')) },
  key: ['host', 'kind', 'at'],
})
await db.ensureTables([Twin])
const Documents = defineTable('documents', { columns: { ...columns, data: json() }, key: ['host', 'kind', 'at'], salt })
const documents = createMapper(memory())
await documents.ensureTables([Documents])

const cursor = (await events.scan(where).page({ size: 1 })).cursor ?? ''
const signed = createMapper(store, { cursorSecret: '0123456789abcdef' }).repository(Events)
const scan =
  (predicate: unknown, options: object = {}, page: object = {}) =>
  () =>
    events.scan(predicate as never, options as never).page(page)
const count = (predicate: unknown): Remedy => gives(async () => (await scan(predicate)()).rows.length, rows.length)

/** A cursor as a page returned it leads to all rows after that page, and none leads to all. */
const ownCursor = (table: typeof events): Remedies => ({
  'Pass the cursor of a page unchanged': gives(async () => {
    const page = await table.scan(where).page({ size: 1 })
    return table
      .scan(where)
      .page({ cursor: page.cursor ?? '' })
      .then(({ rows }) => rows.length)
  }, rows.length - 1),
  'start without one': gives(() => table.scan(where).count(), rows.length),
})
const sameScan: Remedies = {
  'Continue with the same table, predicate and direction': gives(
    () =>
      events
        .scan(where)
        .page({ cursor })
        .then(({ rows }) => rows.length),
    rows.length - 1,
  ),
  'start without a cursor': count(where),
}

export const predicateErrors: readonly Provocation[] = [
  [
    'a text that is not a checkpoint',
    () => events.readAll({ checkpoint: 'page 2' }).count(),
    {
      'Pass the checkpoint of a page of readAll() unchanged': gives(async () => {
        const first = (await events.readAll().pages().next()).value as { checkpoint: string; rows: unknown[] }
        return first.rows.length + (await events.readAll({ checkpoint: first.checkpoint }).count())
      }, rows.length),
      'start without one': gives(() => events.readAll().count(), rows.length),
    },
  ],
  [
    'a checkpoint of another table',
    async () => orders.readAll({ checkpoint: (await events.readAll().pages().next()).value?.checkpoint }).count(),
    {
      'Continue on the same table and store': gives(async () => {
        const first = (await orders.readAll().pages().next()).value as { checkpoint: string; rows: unknown[] }
        return first.rows.length + (await orders.readAll({ checkpoint: first.checkpoint }).count())
      }, 3),
      'start without one': gives(() => orders.readAll().count(), 3),
    },
  ],
  ['a text that is not a cursor', scan(where, {}, { cursor: 'page 2' }), ownCursor(events)],
  ['a cursor of another version', scan(where, {}, { cursor: `Aw${cursor.slice(2)}` }), ownCursor(events)],
  ['a cursor with a broken key', scan(where, {}, { cursor: cursor.slice(0, -4) }), ownCursor(events)],
  ['a cursor without its signature', () => signed.scan(where).page({ cursor }), ownCursor(signed)],
  ['a cursor of another table', () => orders.scan({ buyer: 'ann' }).page({ cursor }), sameScan],
  ['a cursor of another table with the same key', () => db.repository(Twin).scan(where).page({ cursor }), sameScan],
  ['a cursor of another predicate', scan({ ...where, level: 1 }, {}, { cursor }), sameScan],
  ['a cursor of the other direction', scan(where, { order: 'reverse' }, { cursor }), sameScan],
  ['an undefined predicate', scan(undefined), { 'Give a plain object of conditions by column': count(where) }],
  [
    'a predicate on an unknown column',
    scan({ hots: 'web' }),
    { 'The columns are host, kind, at, data, level, note, size': withEach((name) => scan({ ...where, [name]: conditions[name] })()) },
  ],
  [
    'an unknown operator',
    scan({ host: { gtt: 'web' } }),
    {
      'Use in, gt, gte, lt, lte or startsWith': withEach((operator) =>
        scan({ host: { [operator]: operator === 'in' ? ['web'] : 'web' } })(),
      ),
    },
  ],
  [
    'an unknown operator of a column that may be null',
    scan({ ...where, note: { gtt: 'web' } }),
    {
      'Use in, gt, gte, lt, lte, startsWith or isNull': withEach((operator) =>
        scan({ ...where, note: { [operator]: operator === 'in' ? ['web'] : operator === 'isNull' ? true : 'web' } })(),
      ),
    },
  ],
  [
    'an unknown operator of JSON',
    () =>
      documents
        .repository(Documents)
        .scan({ ...where, data: { gtt: 1 } })
        .page(),
    {
      'Filter in code': gives(
        () =>
          documents
            .repository(Documents)
            .scan(where, { filter: () => true })
            .count(),
        0,
      ),
    },
  ],
  [
    'an operator object without operators',
    scan({ ...where, level: {} }),
    {
      'Leave the column out': count(where),
      'give a value or an operator': gives(() => [scan({ ...where, level: 1 })(), scan({ ...where, level: { gt: 0 } })()]),
    },
  ],
  [
    'an undefined operand',
    scan({ ...where, level: undefined }),
    {
      'Leave it out or give a value': gives(
        async () => [(await scan(where)()).rows.length, (await scan({ ...where, level: 1 })()).rows.length],
        [3, 3],
      ),
    },
  ],
  ['a null operand', scan({ host: 'web', note: { gt: null } }), { 'Use isNull': count({ host: 'web', note: { isNull: true } }) }],
  [
    'a null operand of a column that is never null',
    scan({ host: 'web', level: { gt: null } }),
    { 'Give a value': count({ host: 'web', level: { gt: 0 } }) },
  ],
  ['null for a column that is not nullable', scan({ ...where, level: null }), { 'Leave out isNull and null': count(where) }],
  ['an operand of another type', scan({ host: 5 }), { 'Give well-formed text (no lone surrogate)': count({ host: 'web' }) }],
  [
    'an operand that is too long',
    scan({ host: { startsWith: 'x'.repeat(1001) } }),
    { 'but a rowkey can hold at most 1000. Shorten it': longest((host) => scan({ host: { startsWith: host } })()) },
  ],
  [
    'an operand that is far too long',
    scan({ host: 'x'.repeat(1_000_000) }),
    { 'but a rowkey can hold at most 1000. Shorten it': longest((host) => scan({ host })()) },
  ],
  ['in without a list', scan({ host: { in: 'web' } }), { 'in takes a list, not "web"': count({ host: { in: ['web'] } }) }],
  [
    'isNull without a boolean',
    scan({ host: 'web', note: { isNull: 'yes' } }),
    { 'isNull takes true or false, not "yes"': gives(() => [true, false].map((isNull) => scan({ host: 'web', note: { isNull } })())) },
  ],
  [
    'startsWith on numbers',
    scan({ host: 'web', level: { startsWith: '1' } }),
    {
      'Use =, in or a range': gives(
        () => Promise.all([1, { in: [1] }, { gte: 1 }].map(async (level) => (await scan({ host: 'web', level })()).rows.length)),
        [3, 3, 3],
      ),
    },
  ],
  [
    'startsWith on a column without an order',
    scan({ host: 'web', size: 0n, kind: { startsWith: 'l' } }),
    {
      'Use = or in': gives(
        () => Promise.all(['login', { in: ['login'] }].map(async (kind) => (await scan({ host: 'web', kind })()).rows.length)),
        [3, 3],
      ),
    },
  ],
  [
    'startsWith without text',
    scan({ host: { startsWith: 5 } }),
    { 'startsWith takes well-formed text, not 5': count({ host: { startsWith: 'w' } }) },
  ],
  [
    'a range on unordered bytes',
    scan({ host: 'web', kind: { gt: 'login' } }),
    {
      'Use = or in': gives(
        () => Promise.all(['login', { in: ['login'] }].map(async (kind) => (await scan({ host: 'web', kind })()).rows.length)),
        [3, 3],
      ),
    },
  ],
  [
    'a comparison of JSON',
    scan({ host: 'web', data: 'x' }),
    {
      'Use isNull': count({ host: 'web', data: { isNull: true } }),
      'filter in code': gives(() => events.scan(where, { filter: ({ data }) => data === null }).count(), rows.length),
    },
  ],
  [
    'a range of JSON that is never null',
    () =>
      documents
        .repository(Documents)
        .scan({ ...where, data: { gt: 1 } })
        .page(),
    {
      'Filter in code': gives(
        () =>
          documents
            .repository(Documents)
            .scan(where, { filter: () => true })
            .count(),
        0,
      ),
    },
  ],
]

/** A condition for each column. */
const conditions: Readonly<Record<string, unknown>> = { ...where, at: new Date(0), data: { isNull: true }, level: 1, note: null, size: 0n }

/** Text of as many bytes as the words allow is accepted, and one with a byte more is not. */
function longest(run: (text: string) => Promise<unknown>): Remedy {
  return async (said, { code }) => {
    const most = Number(/at most (\d+)/.exec(said)?.[1])
    expect(await run('x'.repeat(most))).toBeDefined()
    await expect(run('x'.repeat(most + 1))).rejects.toMatchObject({ code })
  }
}
