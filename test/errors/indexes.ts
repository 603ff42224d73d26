import { bucket, nullable, text } from 'rowkey/codec'
import { createMapper, defineTable, memory, type TableSchema } from 'rowkey'
import type { Provocation } from './provocation.js'
import { gives, withEach } from './remedies.js'

// Indexes: what is wrong with them, and with their use.

/** Untyped, as JavaScript calls it. */
const orders = (indexes?: unknown, more: object = {}): TableSchema =>
  (defineTable as unknown as (name: string, definition: object) => TableSchema)('orders', {
    columns: { no: text(), buyer: text(), at: text(), seller: nullable(text()) },
    key: ['no'],
    ...more,
    ...(indexes === undefined ? {} : { indexes }),
  })
const byBuyer = { byBuyer: { partition: ['buyer'], key: ['at'] } }
const uniqueBuyer = { byBuyer: { key: ['buyer'], unique: true } }
const bySeller = { bySeller: { key: ['seller'] } }
const expiring = orders(byBuyer, { ttl: '1d', version: 'rev' })
const row = { no: 'o-1', buyer: 'ann', at: '1' }

/** A store with the table of a model, as another model sees it. */
async function opened(created: TableSchema, used: TableSchema) {
  const db = createMapper(memory())
  await db.ensureTables([created])
  return {
    db,
    rows: db.repository(used) as never as {
      put(row: object): Promise<object>
      scan(where: object, options: object): { count(): Promise<number> }
    },
  }
}

const counted = (schema: TableSchema) =>
  gives(async () => {
    const { rows } = await opened(schema, schema)
    await rows.put(row)
    return rows.scan({ buyer: 'ann' }, { index: 'byBuyer' }).count()
  }, 1)

/** Given an index late, and built. */
const built = gives(async () => {
  const { db } = await opened(orders(), orders())
  await db.ensureTables([orders(byBuyer)])
  await (db.repository(orders(byBuyer)) as never as { put(row: object): Promise<object> }).put(row)
  await db.buildIndex(orders(byBuyer), 'byBuyer')
  return db.repository(orders(byBuyer)).scan({ buyer: 'ann' }, { index: 'byBuyer' }).count()
}, 1)

export const indexErrors: readonly Provocation[] = [
  ['indexes that are none', () => orders(5), { 'Give an object of indexes by their names': counted(orders(byBuyer)) }],
  [
    'an index that is none',
    () => orders({ byBuyer: 5 }),
    { 'Give an object with key, and perhaps partition, salt, unique, include and stores': counted(orders(byBuyer)) },
  ],
  [
    'an index of a column that does not exist',
    () => orders({ byBuyer: { key: ['byer'] } }),
    {
      "The columns are 'no', 'at', 'buyer', 'seller'": withEach((name) =>
        orders({ byBuyer: { partition: [name], key: name === 'at' ? [] : ['at'] } }),
      ),
    },
  ],
  [
    'an index of the version',
    () => orders({ byRev: { key: ['rev'] } }, { version: 'rev' }),
    { 'Leave it out': gives(() => orders({ byRev: { key: ['at'] } }, { version: 'rev' }).indexes.length, 1) },
  ],
  ['an index without a name', () => orders({ '': { key: ['at'] } }), { 'Give it one that scans can name': counted(orders(byBuyer)) }],
  ['an index with a name of all objects', () => orders({ toString: { key: ['at'] } }), { 'Give it another': counted(orders(byBuyer)) }],
  [
    'an index with the key of the table',
    () => orders({ byNo: { key: ['no'] } }),
    {
      'Leave it out, and scan without an index': gives(async () => {
        const { rows } = await opened(orders(), orders())
        await rows.put(row)
        return rows.scan({ no: 'o-1' }, {}).count()
      }, 1),
    },
  ],
  [
    'a scan of an index for rows that it leaves out',
    async () => {
      const { rows } = await opened(orders(bySeller), orders(bySeller))
      return rows.scan({ seller: null }, { index: 'bySeller' }).count()
    },
    {
      'Scan the table, or another index': gives(async () => {
        const { rows } = await opened(orders(bySeller), orders(bySeller))
        await rows.put({ ...row, seller: null })
        return rows.scan({ seller: null }, { unbounded: true }).count()
      }, 1),
    },
  ],
  [
    'the comparison of an index that was dropped',
    async () => {
      const { db } = await opened(orders(byBuyer), orders(byBuyer))
      await db.dropIndex(orders(byBuyer), 'byBuyer')
      return db.verifyIndex(orders(byBuyer), 'byBuyer')
    },
    {
      'Declare it under another name, or take it from the model': gives(async () => {
        const { db } = await opened(orders(byBuyer), orders(byBuyer))
        await db.dropIndex(orders(byBuyer), 'byBuyer')
        const again = orders({ byCustomer: byBuyer.byBuyer })
        await db.ensureTables([again])
        await db.buildIndex(again, 'byCustomer')
        return (await db.verifyIndex(again, 'byCustomer')).missing
      }, 0),
    },
  ],
  [
    'an index without columns',
    () => orders({ byBuyer: { key: [] } }),
    { "Give it a key, such as { key: ['email'] }": counted(orders(byBuyer)) },
  ],
  [
    'an index that is unique in a way',
    () => orders({ byBuyer: { key: ['buyer'], unique: 'yes' } }),
    { 'Give true or false': counted(orders({ byBuyer: { key: ['buyer'], unique: true } })) },
  ],
  [
    'an index that includes a column twice',
    () => orders({ byBuyer: { key: ['buyer'], include: ['buyer'] } }),
    { 'Leave it out of include': counted(orders({ byBuyer: { key: ['buyer'], include: ['at'] } })) },
  ],
  [
    'a unique index of a table with plain writes',
    () => orders({ byBuyer: { key: ['buyer'], unique: true } }, { writes: 'plain' }),
    {
      'Leave one of them out': async (said, error) => {
        await counted(orders(byBuyer, { writes: 'plain' }))(said, error)
        await counted(orders(uniqueBuyer))(said, error)
      },
    },
  ],
  [
    'an index of rows that expire, without a version',
    () => orders(byBuyer, { ttl: '1d' }),
    {
      "give it one with version: 'rev' or @Version": counted(orders(byBuyer, { ttl: '1d', version: 'rev' })),
      "or writes: 'plain' if rows are only put and deleted": counted(orders(byBuyer, { ttl: '1d', writes: 'plain' })),
    },
  ],
  [
    'a second row with a value of a unique index',
    async () => {
      const { rows } = await opened(orders(uniqueBuyer), orders(uniqueBuyer))
      await rows.put(row)
      return rows.put({ ...row, no: 'o-2' })
    },
    {
      'Change it, or change the other row first': gives(async () => {
        const { rows } = await opened(orders(uniqueBuyer), orders(uniqueBuyer))
        await rows.put(row)
        await rows.put({ ...row, buyer: 'bob' })
        await rows.put({ ...row, no: 'o-2' })
        await rows.put({ ...row, no: 'o-3', buyer: 'eve' })
        return rows.scan({ buyer: 'ann' }, { index: 'byBuyer' }).count()
      }, 1),
    },
  ],
  [
    'an index with other columns than it had',
    async () => {
      const { db } = await opened(orders(byBuyer), orders(byBuyer))
      return db.ensureTables([orders({ byBuyer: { key: ['buyer', 'at'], salt: bucket({ of: 'buyer', count: 2 }) } })])
    },
    {
      'declare the new one under another name next to it, call buildIndex(), and then dropIndex() of the old one': gives(async () => {
        const { db, rows } = await opened(orders(byBuyer), orders(byBuyer))
        await rows.put(row)
        const both = orders({ ...byBuyer, byTime: { key: ['at'] } })
        await db.ensureTables([both])
        await db.buildIndex(both, 'byTime')
        await db.dropIndex(both, 'byBuyer')
        return db
          .repository(orders({ byTime: { key: ['at'] } }))
          .scan({ at: '1' }, { index: 'byTime' })
          .count()
      }, 1),
    },
  ],
  [
    'several values in one order by an index of rows that expire',
    async () => {
      const { rows } = await opened(expiring, expiring)
      return rows.scan({ buyer: { in: ['ann', 'bob'] } }, { index: 'byBuyer', order: { at: 'desc' } }).count()
    },
    {
      'Scan for one value after the other': gives(async () => {
        const { rows } = await opened(expiring, expiring)
        await rows.put(row)
        return rows.scan({ buyer: 'ann' }, { index: 'byBuyer', order: { at: 'desc' } }).count()
      }, 1),
      'leave the order out and sort in code': gives(async () => {
        const { rows } = await opened(expiring, expiring)
        await rows.put(row)
        return rows.scan({ buyer: { in: ['ann', 'bob'] } }, { index: 'byBuyer' }).count()
      }, 1),
    },
  ],
  [
    'get() by an index that is not unique',
    async () => {
      const { db } = await opened(orders(byBuyer), orders(byBuyer))
      return db.repository(orders(byBuyer)).get({ buyer: 'ann', at: '1' }, { index: 'byBuyer' })
    },
    { 'Use scan()': counted(orders(byBuyer)) },
  ],
  [
    'an index that the table does not have',
    async () => {
      const { rows } = await opened(orders(), orders())
      return rows.scan({ buyer: 'ann' }, { index: 'byBuyer' }).count()
    },
    { 'Declare it in the model, with indexes or @Index': counted(orders(byBuyer)) },
  ],
  [
    'a scan of an index that has not been built',
    async () => {
      const { db } = await opened(orders(), orders())
      await db.ensureTables([orders(byBuyer)])
      return db.repository(orders(byBuyer)).scan({ buyer: 'ann' }, { index: 'byBuyer' }).count()
    },
    { 'Call buildIndex(), once all programs that write to the table have the model with the index': built },
  ],
  [
    'a write of a model without the index',
    async () => {
      const { rows } = await opened(orders(byBuyer), orders())
      return rows.put(row)
    },
    {
      'Call ensureTables() with the model of the newest program': built,
      'Before an index goes from the model, drop it with dropIndex()': gives(async () => {
        const { db, rows } = await opened(orders(byBuyer), orders())
        await db.dropIndex(orders(byBuyer), 'byBuyer')
        await rows.put(row)
        return db.repository(orders()).readAll().count()
      }, 1),
    },
  ],
  [
    'a change in db.write() that lacks a part of its entry',
    async () => {
      const { db } = await opened(orders(byBuyer), orders(byBuyer))
      const rows = db.repository(orders(byBuyer))
      return db.write([rows.ops.update({ no: 'o-1' }, { buyer: 'bob' })])
    },
    {
      "Give 'at' too, call update() of the repository, or put the whole row": gives(async () => {
        const { db, rows: all } = await opened(orders(byBuyer), orders(byBuyer))
        await all.put(row)
        const rows = db.repository(orders(byBuyer))
        await db.write([rows.ops.update({ no: 'o-1' }, { buyer: 'bob', at: '2' })])
        return rows.scan({ buyer: 'bob' }, { index: 'byBuyer' }).count()
      }, 1),
    },
  ],
  [
    'stale entries that are too young to go',
    async () => {
      const { db } = await opened(orders(byBuyer), orders(byBuyer))
      return db.verifyIndex(orders(byBuyer), 'byBuyer', { repair: true, olderThan: '1m' })
    },
    {
      'Give olderThan at least \'1h\', not "1m"': gives(async () => {
        const { db } = await opened(orders(byBuyer), orders(byBuyer))
        return (await db.verifyIndex(orders(byBuyer), 'byBuyer', { repair: true, olderThan: '1h' })).stale
      }, 0),
    },
  ],
]
