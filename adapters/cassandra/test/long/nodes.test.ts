import { cassandra } from '@rowkey/cassandra'
import { cassandraCluster, type CassandraCluster } from '@rowkey/servers'
import type { TableSchema } from 'rowkey/adapter'
import { policies, type Client } from 'cassandra-driver'
import { createMapper, defineTable, isRowkeyError, nullable, text } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../connected.js'
import { build, race } from '../race.js'

const grown = (...values: readonly string[]): TableSchema =>
  defineTable('on_three', {
    columns: { k: text(), ...Object.fromEntries(values.map((value) => [value, nullable(text())])) },
    key: ['k'],
  })

describe('three nodes of Cassandra', () => {
  let cluster: CassandraCluster
  let clients: readonly Client[]
  beforeAll(async () => {
    cluster = await cassandraCluster.start()
    clients = [0, 1, 2, 3].map(() =>
      clientOf(cluster.connection, {
        socketOptions: { readTimeout: 8000 },
        policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(200) },
      }),
    )
    for (const client of clients) await client.connect()
    await clients[0]?.execute(`CREATE KEYSPACE three WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}`)
  }, 600_000)
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await cluster.stop()
  })
  // On one machine transactions of three nodes are slower than the servers' time-outs now and then.
  const mappers = (): readonly ReturnType<typeof createMapper>[] =>
    clients.map((client) => createMapper(cassandra(client, { keyspace: 'three' }), { retry: { onUnknown: 'resend' } }))

  test('ADAPTER-7: what several clients made grow at once takes their puts on every node', async () => {
    for (let round = 0; round < 3; round++) {
      const dbs = mappers()
      const model = (i: number): TableSchema => grown(`c${i}`, `d${(i + round) % 4}`)
      await Promise.all(dbs.map((db, i) => db.ensureTables([model(i)])))
      // Requests go from node to node.
      for (let put = 0; put < 6; put++) {
        await Promise.all(dbs.map((db, i) => db.repository(model(i)).put({ k: `p${i} ${put}`, [`c${i}`]: 'v' })))
      }
      await dbs[round]?.dropTables([grown()])
    }
  })

  test('ADAPTER-7: processes that change a table at once', { timeout: 3_600_000 }, async () => {
    build()
    const { seen, bad } = await race({ ...cluster.connection, keyspace: 'three' }, 6, 3)
    console.log(`three nodes: ${JSON.stringify(seen)}`)
    expect(bad).toEqual([])
  })

  test('ADAPTER-7: a node that stands still does not hold up a change; when it goes on, what it has not heard of is temporary', async () => {
    const [db] = mappers() as [ReturnType<typeof createMapper>]
    await db.ensureTables([grown('a')])
    cluster.pauseNode(2)
    try {
      await db.ensureTables([grown('a', 'b')])
    } finally {
      cluster.resumeNode(2)
    }
    const bad: unknown[] = []
    for (let put = 0; put < 60; put++) {
      for (const each of mappers()) {
        const rows = each.repository(grown('a', 'b'))
        await rows.put({ k: `p${put}`, b: 'x' }).catch((error: unknown) => {
          // Its replicas may be late too, and a transaction is then left open.
          const isTrue =
            isRowkeyError(error, 'OUTCOME_UNKNOWN') ||
            isRowkeyError(error, 'STORE_UNAVAILABLE') ||
            (isRowkeyError(error, 'WRITE_FAILED') && error.details.repeatable)
          if (!isTrue) bad.push(error)
        })
      }
    }
    expect(bad).toEqual([])
    await db.repository(grown('a', 'b')).put({ k: 'last', b: 'x' })
  })
})
