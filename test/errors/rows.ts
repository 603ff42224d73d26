import type { Outcome, Page } from 'rowkey/adapter'
import { text } from 'rowkey/codec'
import { createMapper, defineTable } from 'rowkey'
import { expect } from 'vitest'
import { always, page, pagesOf, wrapped } from '../kit/wrapped.js'
import { copied, db, events, Events, key, orderColumns, orders, Orders, row, rowAt, rows, store, where, whole, with_ } from './events.js'
import type { Provocation, Remedy } from './provocation.js'
import { gives, namesIn } from './remedies.js'

// Rows that are written and read one by one, and what adapters answer.

const wideColumns = ['a', 'b', 'c', 'd', 'e', 'f']
const Wide = defineTable('wide', { columns: { k: text(), ...Object.fromEntries(wideColumns.map((name) => [name, text()])) }, key: ['k'] })
const wideRow = { k: 'x', ...Object.fromEntries(wideColumns.map((name) => [name, 'x'.repeat(65_000)])) }
await db.ensureTables([Wide])

const cause = new Error('connection reset by peer')
const outcome = (given: Outcome) => with_({ write: always(given) })
const pages = (...given: Page[]) =>
  with_({ scan: () => pagesOf(...given) })
    .scan(where)
    .page()
const limited = (limits: object) => createMapper(wrapped(store, { capabilities: { limits: { ...store.capabilities.limits, ...limits } } }))

/** The same rows as before. */
async function restore(): Promise<void> {
  await events.scan({}, { unbounded: true }).deleteAll()
  await events.putMany(rows)
}
/** The call does not throw; rows that were there before are there now, and are put back as they were. */
const keeps =
  (run: () => unknown, expected: number): Remedy =>
  async () => {
    await run()
    expect(await events.scan({}, { unbounded: true }).count()).toBe(expected)
    await restore()
  }

/** Text of this length is shortened to what the words allow: with one character more it is refused. */
const shortened =
  (length: number, put: (text: string) => Promise<unknown>): Remedy =>
  async (said, { code }) => {
    const [, bytes, most] = /takes (?:at least )?(\d+) bytes, more than (\d+)/.exec(said) ?? []
    const longest = length - Number(bytes) + Number(most)
    expect(await put('x'.repeat(longest))).toBeDefined()
    await expect(put('x'.repeat(longest + 1))).rejects.toMatchObject({ code })
    await restore()
  }
const inNotes = (count: number, length: number): Remedy =>
  keeps(
    () => events.putMany(Array.from({ length: count }, (_, i) => ({ ...row, at: new Date(i * 1000), note: 'x'.repeat(length) }))),
    Math.max(count, rows.length),
  )

export const rowErrors: readonly Provocation[] = [
  [
    'an insert of an existing row',
    () => events.insert(row),
    {
      'Use put() to replace it': keeps(() => events.put({ ...row, level: 2 }), 3),
      'another key': keeps(() => events.insert({ ...row, host: 'db' }), 4),
    },
  ],
  [
    'an update of an absent row',
    () => events.update({ ...key, host: 'db' }, { note: 'x' }),
    {
      'Use insert() or put() to create it': keeps(async () => {
        await events.insert({ ...row, host: 'db', note: 'x' })
        await events.put({ ...row, host: 'app', note: 'x' })
      }, 5),
    },
  ],
  [
    'a row that must exist',
    () => events.getOrThrow({ ...key, host: 'db' }),
    { 'Use get() if it may be missing': gives(async () => (await events.get({ ...key, host: 'db' })) === undefined, true) },
  ],
  [
    'an update of a key column',
    () => events.update(key, { host: 'db' } as never),
    {
      'Insert the row with the new key, and then delete this one': keeps(async () => {
        await events.insert({ ...(await events.getOrThrow(key)), host: 'db' })
        await events.delete(key)
      }, 3),
    },
  ],
  [
    'an insert into a plain table',
    () => (orders as unknown as typeof events).insert({ buyer: 'ann', no: 4 } as never),
    {
      'Use put() or delete()': gives(async () => {
        await orders.put({ buyer: 'ann', no: 4 })
        await orders.delete({ buyer: 'ann', no: 4 })
        return orders.scan({ buyer: 'ann' }).count()
      }, 3),
      "copy its rows with copyTable() into a table with writes: 'conditional'": gives(async () => {
        const Conditional = defineTable('conditional_orders', {
          columns: orderColumns,
          partition: ['buyer'],
          key: ['no'],
          writes: 'conditional',
        })
        const target = await copied(orders, Conditional)
        await target.insert({ buyer: 'ann', no: 4 })
        return target.scan({ buyer: 'ann' }).count()
      }, 4),
    },
  ],
  [
    'a row with an unknown column',
    () => events.put({ ...row, nte: 'x' } as never),
    {
      'Its columns are host, kind, at, data, level, note, size': keeps(() => events.put({ ...whole }), 3),
    },
  ],
  ['something that is not a row', () => events.put(7 as never), { 'Give an object with its columns': keeps(() => events.put(whole), 3) }],
  [
    'a row with a column missing',
    () => events.put({ ...key } as never),
    {
      'Give it a value': keeps(() => events.put({ ...key, level: 2 }), 3),
      'null if the column is nullable': keeps(() => events.put({ ...row, note: null }), 3),
    },
  ],
  [
    'a key with a column missing',
    () => events.get({ host: 'web' } as never),
    {
      "A key of 'events' needs all of (host, kind, at)": gives((said) => {
        const names = namesIn(said.slice(said.indexOf('(')))
        return events.get(Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))) as never)
      }, whole),
    },
  ],
  [
    'a key with a column too many',
    () => events.get({ ...key, level: 1 } as never),
    {
      'Give its key (host, kind, at)': gives(() => events.get(key), whole),
      'a whole row as a read returned it': gives(async () => events.get(await events.getOrThrow(key)), whole),
    },
  ],
  [
    'a rowkey that is too long',
    () => events.put({ ...row, host: 'x'.repeat(1000) }),
    { 'the rowkey takes 1012 bytes, more than 1000. Shorten it': shortened(1000, (host) => events.put({ ...row, host })) },
  ],
  [
    'a column that is too long',
    () => events.put({ ...row, note: 'x'.repeat(65_536) }),
    {
      "column 'note' takes 65536 bytes, more than 65535. Shorten it": shortened(65_536, (note) => events.put({ ...row, note })),
      'split the row': inNotes(2, 65_536 / 2),
    },
  ],
  [
    'a column that is far too long',
    () => events.put({ ...row, note: 'x'.repeat(1_000_000) }),
    {
      "column 'note' takes at least 1000000 bytes, more than 65535. Shorten it": shortened(1_000_000, (note) =>
        events.put({ ...row, note }),
      ),
      'split the row': inNotes(20, 1_000_000 / 20),
    },
  ],
  [
    'a row that is too long',
    () => db.repository(Wide).put(wideRow),
    {
      'the whole row takes 390008 bytes, more than 380000. Shorten it': shortened(65_000, (f) =>
        db.repository(Wide).put({ ...wideRow, f } as typeof wideRow),
      ),
      'split the row': gives(async () => {
        const parts = [wideColumns.slice(0, 3), wideColumns.slice(3)]
        const without = (part: readonly string[]) => Object.fromEntries(part.map((name) => [name, '']))
        await db.repository(Wide).putMany(parts.map((part, i) => ({ ...wideRow, ...without(part), k: `${i}` })))
        return db
          .repository(Wide)
          .getMany([{ k: '0' }, { k: '1' }])
          .then((found) => found.length)
      }, 2),
    },
  ],
  [
    'a partition that is too long for the store',
    () => limited({ partitionBytes: 4 }).repository(Orders).put({ buyer: 'ann-marie', no: 1 }),
    {
      'the partition (salt and partition columns) takes 11 bytes, more than 4. Shorten it': async (said, error) => {
        const short = limited({ partitionBytes: 4 }).repository(Orders)
        await shortened(9, (buyer) => short.put({ buyer, no: 1 }))(said, error)
        await short.delete({ buyer: 'xx', no: 1 })
      },
    },
  ],
  [
    'a sort key that is too long for the store',
    () => limited({ sortKeyBytes: 12 }).repository(Events).put(row),
    {
      'the part of the rowkey after the partition takes 14 bytes, more than 12. Shorten it': shortened(3, (host) =>
        limited({ sortKeyBytes: 12 })
          .repository(Events)
          .put({ ...row, host }),
      ),
    },
  ],
  [
    'a write with an unknown outcome',
    () => outcome({ kind: 'unknown', cause }).put(row),
    {
      "retry: { onUnknown: 'resend' } allows it": async () => {
        let sent = 0
        const lost = wrapped(store, { write: (batch, inner) => (sent++ === 0 ? always({ kind: 'unknown', cause })(batch) : inner()) })
        await createMapper(lost, { retry: { onUnknown: 'resend' } })
          .repository(Events)
          .put({ ...row, level: 2 })
        expect(await events.getOrThrow(key)).toEqual({ ...whole, level: 2 })
        await restore()
      },
      'Read the row to find out before you repeat it': keeps(async () => {
        expect(await events.getOrThrow(key)).toEqual(whole)
        await events.put(row)
      }, 3),
    },
  ],
  [
    'a write that failed',
    () => outcome({ kind: 'failed', cause }).delete(key),
    { 'Fix the cause before you repeat it': keeps(() => events.delete(key), 2) },
  ],
  [
    'a write that was not tried',
    () => outcome({ kind: 'unprocessed' }).update(key, { note: 'x' }),
    { 'It is safe to repeat it': keeps(() => events.update(key, { note: 'x' }), 3) },
  ],
  [
    'several writes, some of which failed',
    () => outcome({ kind: 'failed', cause }).putMany([row, row]),
    {
      'details.outcomes lists them all': (_, { details }) => {
        expect(details['outcomes']).toMatchObject([
          { index: 0, kind: 'failed' },
          { index: 1, kind: 'failed' },
        ])
      },
      "If a write is 'unprocessed', it is safe to repeat. If it is 'unknown', read the row first": keeps(async () => {
        expect(await events.getOrThrow(key)).toEqual(whole)
        await events.putMany([row, row])
      }, 3),
    },
  ],
  ['a get that returns another row', () => with_({ get: () => [rowAt(5)] }).get(key), 'a fault of the adapter'],
  ['a get that returns too few rows', () => with_({ get: () => [] }).get(key), 'a fault of the adapter'],
  ['rows out of order', () => pages(page(rowAt(1), rowAt(2))), 'a fault of the adapter'],
  ['a row outside its slice', () => pages(page(rowAt(1, 'zzz'))), 'a fault of the adapter'],
  ['a last key before its row', () => pages({ rows: [rowAt(1)], examined: 1, last: rowAt(2) }), 'a fault of the adapter'],
  ['a page that does not say how far it examined', () => pages({ rows: [], examined: 1 }), 'a fault of the adapter'],
]
