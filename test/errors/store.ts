import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { cassandra } from '@rowkey/cassandra'
import { bytes, decimal, desc, int32, nullable, text, timestamp, bucket, type ColumnType } from 'rowkey/codec'
import { dynamodb } from '@rowkey/dynamodb'
import { lmdb } from '@rowkey/lmdb'
import { createMapper, defineTable, memory } from 'rowkey'
import { redis } from '@rowkey/redis'
import type { Row } from 'rowkey/adapter'
import { Redis } from 'ioredis'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { fakeClient } from '../../adapters/cassandra/test/open.js'
import { wrapped } from '../kit/wrapped.js'
import { columns, copied, db, Events, events, filled, key, rows, salt, where, with_, damaged, rowAt, whole } from './events.js'
import type { Provocation, Remedies, Remedy } from './provocation.js'
import { gives, withEach, within } from './remedies.js'

// Stores, their tables and what they can do.

const Unmade = defineTable('unmade', { columns: { id: text() }, key: ['id'] })
const changed = {
  columns: { host: bytes(), kind: text(), at: timestamp('us'), note: text(), more: text() },
  partition: ['host'],
  key: ['kind', 'at'],
  salt: bucket({ of: ['host', 'kind'], count: 32 }),
  writes: 'plain',
} as const
const Changed = defineTable('events', changed)

/** What differs is far behind the beginning. */
const valued = (scale: number, initial: string) =>
  defineTable('valued', {
    columns: { k: int32(), price: decimal(9, scale), note: text({ default: `${'a note that is long '.repeat(8)}${initial}` }) },
    key: ['k'],
  })
await db.ensureTables([valued(2, 'A')])
const hinted = (stores: object) => defineTable('hinted', { columns: { k: int32() }, key: ['k'], stores: { ...stores } })

/** Nobody listens at port 1. */
const unreachable = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
unreachable.on('error', () => undefined)
/** A Cassandra that answers everything with an error. */
const refusedBy = (code: number, message: string) => {
  const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error(message), { name: 'ResponseError', code }))
  return cassandra({ ...fakeClient(), execute: refuse, shutdown: refuse }, { keyspace: 'shop' })
}
const unused = new DynamoDBClient({ region: 'eu-central-1' })
const closed = memory()
await closed.close()
const unconditional = createMapper(wrapped(memory(), { capabilities: { conditions: 'none' } }))

/** A folder that did not exist. */
async function inNewFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-errors-'))
  try {
    return await use(join(folder, 'new'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The table of another model grows, or its rows are copied; they are all there afterwards. */
const otherModel: Remedies = {
  'ensureTables() adds columns that are nullable or have a constant default, and widens types where what is stored stays valid':
    async () => {
      const grown = await filled()
      const grownColumns = { ...columns, level: nullable(int32()), more: nullable(text()), most: text({ default: 'x' }) }
      const Grown = defineTable('events', { columns: grownColumns, key: ['host', 'kind', 'at'], salt })
      await grown.ensureTables([Grown])
      expect(await grown.repository(Grown).scan(where, { order: 'reverse' }).toArray()).toEqual(
        rows.map((each) => ({ ...whole, ...each, more: null, most: 'x' })),
      )
    },
  'For any other change, create a new table and copy the rows': async () => {
    const New = defineTable('new_events', { ...changed, writes: 'conditional' })
    const target = await copied(events, New, ({ at, kind, host, note }: typeof whole) => ({
      host: Buffer.from(host),
      kind,
      at: BigInt(at.getTime()) * 1000n,
      note: note ?? '',
      more: '',
    }))
    expect(await target.readAll().count()).toBe(rows.length)
  },
}

/** A new hint is accepted where it is made. */
const made = (stores: object): Remedy => gives(() => dynamodb(unused).ddl(hinted(stores)).text)

export const storeErrors: readonly Provocation[] = [
  [
    'a table that does not exist',
    () => db.repository(Unmade).get({ id: 'x' }),
    {
      "Create it with ensureTables() or the store's own DDL": gives(async () => {
        const fresh = createMapper(memory())
        await fresh.ensureTables([Unmade])
        return fresh.repository(Unmade).scan({}, { unbounded: true }).count()
      }, 0),
    },
  ],
  [
    'a folder with files of something else',
    () => lmdb('test'),
    {
      'Give a folder that only rowkey uses. It need not exist': gives(
        () => inNewFolder(async (path) => { const opened = lmdb(path); await opened.close(); return opened.name }), // prettier-ignore
        'lmdb',
      ),
    },
  ],
  [
    'a store that is closed',
    () => createMapper(closed).repository(Events).get(key),
    { 'Its rows are gone. Call memory() for a new one': gives(async () => (await filled()).repository(Events).get(key), whole) },
  ],
  ['a model that does not match its table', () => db.repository(Changed).putMany([]), otherModel],
  ['a model to which its table cannot grow', () => db.ensureTables([Changed]), otherModel],
  ['a model that differs at the end of a long default, and in one option of a type', () => db.ensureTables([valued(3, 'B')]), otherModel],
  [
    'a catalog of a newer version',
    () =>
      with_({ describeTable: async (_, inner) => ({ ...(await inner()), views: [] }) as never })
        .scan(where)
        .page(),
    'another version of rowkey',
  ],
  [
    'a catalog that rowkey did not write',
    () => with_({ describeTable: async () => ({ schema: {}, values: [] }) as never }).get(key),
    'a backup',
  ],
  [
    'a hint that the store does not know',
    () => db.ensureTables([hinted({ memory: { size: 1 } })]),
    { 'Leave it out': gives(() => db.ensureTables([hinted({ memory: {} })]).then(() => 'made')) },
  ],
  [
    'a hint with an invalid value',
    () => dynamodb(unused).ddl(hinted({ dynamodb: { provisioned: { read: 1 } } })),
    {
      'Give { read, write }, both integers from 1': within((units: number) =>
        dynamodb(unused).ddl(hinted({ dynamodb: { provisioned: { read: units, write: units } } })),
      ),
    },
  ],
  ['hints that are not an object', () => dynamodb(unused).ddl(hinted({ dynamodb: 'fast' })), { 'Give an object': made({ dynamodb: {} }) }],
  [
    'an unknown hint of a store with hints',
    () => dynamodb(unused).ddl(hinted({ dynamodb: { provisoned: {} } })),
    {
      "dynamodb only knows 'provisioned'": withEach((name) =>
        dynamodb(unused).ddl(hinted({ dynamodb: { [name]: { read: 1, write: 1 } } })),
      ),
    },
  ],
  [
    'a store without reverse',
    () =>
      with_({ capabilities: { reverse: false } })
        .scan(where, { order: 'reverse' })
        .page(),
    {
      'Copy its rows with copyTable() into a table whose key columns have the other direction (desc())': async () => {
        const Reversed = defineTable('reversed_events', {
          columns: { ...columns, host: desc(text()), kind: desc(columns.kind), at: timestamp('ms') },
          key: ['host', 'kind', 'at'],
        })
        const reversed = await copied(events, Reversed)
        expect(await reversed.scan(where).toArray()).toEqual(await events.scan(where, { order: 'reverse' }).toArray())
      },
      'sort in code': gives(
        async () =>
          (
            await with_({ capabilities: { reverse: false } })
              .scan(where)
              .toArray()
          )
            .toReversed()
            .map(({ at }) => at.getTime()),
        [0, 1000, 2000],
      ),
    },
  ],
  [
    'a store without conditions',
    () => unconditional.repository(Events),
    {
      "Declare the table with writes: 'plain'": gives(async () => {
        const plain = defineTable('events', { columns, key: ['host', 'kind', 'at'], writes: 'plain' })
        await unconditional.ensureTables([plain])
        await unconditional.repository(plain).put(rows[0] as never)
        return unconditional.repository(plain).get(key)
      }, whole),
    },
  ],
  [
    'a row that lacks a value',
    async () => (await damaged(rowAt(0).with(4, null))).repository(Events).get(key),
    mended(rowAt(0).with(4, null), {
      'restart this program with it. If it is an older one, declare the column nullable': withLevel(nullable(int32()), null),
      'with a constant default': withLevel(int32({ default: 5 }), 5),
    }),
  ],
  [
    'a row with text that is not JSON',
    async () => (await damaged(rowAt(0).with(3, '{'))).repository(Events).get(key),
    mended(rowAt(0).with(3, '{'), {
      'Write JSON to it': async (lacking) => {
        await lacking.repository(Events).update(key, { data: { a: 1 } })
        expect(await lacking.repository(Events).getOrThrow(key)).toEqual({ ...whole, data: { a: 1 } })
      },
      'delete the row': (lacking) => lacking.repository(Events).delete(key),
    }),
  ],
  [
    'a client that adds a prefix to keys',
    () => redis(new Redis({ lazyConnect: true, keyPrefix: 'app:' })),
    {
      'Leave it out and give the mapper a prefix: createMapper(adapter, { prefix })': gives(
        () =>
          createMapper(redis(new Redis({ lazyConnect: true })), { prefix: 'app:' })
            .ddl(Events)
            .text.includes('app:events'),
        true,
      ),
    },
  ],
  [
    'a server that refuses a read',
    () => refusedBy(0x1300, 'Server failure during read query').describeTable('events'),
    'whoever runs the server',
  ],
  [
    'a server that gives no access',
    () => refusedBy(0x2100, 'User app has no SELECT permission').describeTable('events'),
    'whoever runs the server',
  ],
  ['a server that does not answer', () => redis(unreachable).describeTable('events'), 'a server that is down'],
  [
    'a store without table definitions',
    () => db.ddl(Events),
    { 'Use an adapter that has them': gives(() => createMapper(dynamodb(unused)).ddl(Events).text) },
  ],
  [
    'a store without row addresses',
    () => (events as unknown as { locate(given: object): Promise<unknown> }).locate(key),
    {
      'Use an adapter that has them': gives(() =>
        inNewFolder(async (path) => {
          const located = createMapper(lmdb(path))
          await located.ensureTables([Events])
          const address = await located.repository(Events).locate(key)
          await located.close()
          return address
        }),
      ),
    },
  ],
]

/** A program whose model has this type of the column 'level' reads the row with this value. */
function withLevel(level: ColumnType, value: unknown) {
  return async (lacking: Awaited<ReturnType<typeof damaged>>): Promise<void> => {
    const model = defineTable('events', { columns: { ...columns, level }, key: ['host', 'kind', 'at'], salt })
    const restarted = createMapper(lacking.adapter)
    await restarted.ensureTables([model])
    expect(await restarted.repository(model).get(key)).toEqual({ ...whole, level: value })
  }
}

/** Each remedy helps, and all other rows are still there. */
function mended(row: Row, remedies: Readonly<Record<string, (lacking: Awaited<ReturnType<typeof damaged>>) => unknown>>): Remedies {
  const remedyOf =
    (follow: (typeof remedies)[string]): Remedy =>
    async () => {
      const lacking = await damaged(row)
      await follow(lacking)
      expect(
        await lacking
          .repository(Events)
          .scan(where, { select: ['at'], order: 'reverse' })
          .toArray(),
      ).toEqual(expect.arrayContaining(rows.slice(1).map(({ at }) => ({ at }))))
    }
  return Object.fromEntries(Object.entries(remedies).map(([said, follow]) => [said, remedyOf(follow)]))
}
