import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { cassandra } from '@rowkey/cassandra'
import { dynamodb } from '@rowkey/dynamodb'
import { hbase } from '@rowkey/hbase'
import { HBaseClient } from '@rowkey/hbase-client'
import { redis } from '@rowkey/redis'
import type { CassandraConnection, DynamodbConnection, HBaseConnection, RedisConnection, ServerName } from '@rowkey/servers'
import { Redis } from 'ioredis'
import { createMapper, memory } from 'rowkey'
import type { Adapter } from 'rowkey/adapter'
import type { Contest, Contestant } from '../duel/contestant.js'
import { connect } from './cassandra/keyspace.js'
import { settings } from './dynamodb/tables.js'
import { Event, IndexedEvent, sampleGroups } from './model.js'
import { operationNames, partyOf, scanned, type Stored, type Way } from './party.js'
import { pace } from './pace.js'
import { entityOf } from './rowkey-ways.js'

type Open = (connection: unknown) => Adapter | Promise<Adapter>

const { put, putMany, load, scan } = operationNames

/** The same rows by way of a repository: without an index in the order of the key, with one in the order of the index. */
async function way(adapter: Adapter, Model: new () => Event, { groups }: Stored, index: string | undefined): Promise<Way<Event, Event>> {
  const db = createMapper(adapter, { prefix: `i${process.pid}_` })
  await db.ensureTables([Model])
  const events = db.repository(Model)
  await events.putMany(groups.flat().map((sample) => entityOf(Model, sample)))
  return {
    given: (sample) => entityOf(Model, sample),
    sampleOf: ({ host, event, at, level, message }) => ({ host, event, at: at.getTime(), level, message }),
    put: (row) => events.put(row),
    putMany: (rows) => events.putMany(rows),
    load: (rows) => events.putMany(rows.values()),
    scan: ({ host, event, at, level }) =>
      (index === undefined
        ? events.scan({ host, event, at: { gte: at } }, { limit: scanned })
        : events.scan({ host, level, event, at: { gte: at } }, { limit: scanned, index })
      ).toArray(),
  }
}

function contest(store: string, open: Open, groups: Stored['groups'], server?: ServerName): Contest {
  const stored: Stored = { groups, spread: [] }
  const party =
    (Model: new () => Event, index?: string) =>
    async (connection: unknown): Promise<Contestant> =>
      partyOf(await way(await open(connection), Model, stored, index), stored)
  return {
    id: `index-${store}`,
    title: `${store}: writes that keep an index, and scans by it`,
    base: 'no index',
    operations: [put, putMany, load, scan],
    allocation: false,
    wall: true,
    pace,
    ...(server === undefined ? {} : { server }),
    parties: new Map([
      ['no index', party(Event)],
      ['one index', party(IndexedEvent, 'byLevel')],
    ]),
  }
}

const some = sampleGroups(20, 500)
const few = sampleGroups(8, 200)

/** What an index costs in each store, beside the same table without one. */
export const indexContests: readonly Contest[] = [
  contest('memory', () => memory(), some),
  contest('redis', (connection) => redis(new Redis((connection as RedisConnection).url)), some, 'redis'),
  contest('dynamodb', (connection) => dynamodb(new DynamoDBClient(settings(connection as DynamodbConnection))), few, 'dynalite'),
  contest('cassandra', async (connection) => cassandra(await connect(connection as CassandraConnection)), some, 'cassandra'),
  contest(
    'hbase',
    (connection) => {
      const { host, gateways } = connection as HBaseConnection
      return hbase(new HBaseClient({ host, port: gateways.unframed }))
    },
    some,
    'hbase',
  ),
]
