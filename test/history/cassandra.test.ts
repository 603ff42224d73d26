import { cassandra } from '@rowkey/cassandra'
import { policies } from 'cassandra-driver'
import { afterAll, beforeAll } from 'vitest'
import { clientOf, connect, type Connected } from '../cassandra/connected.js'
import { withServer } from '../setup/with-server.js'
import { underFaults } from './faults.js'

withServer('cassandra', (connection) => {
  const direct = Number((connection.contactPoints[0] as string).split(':')[1])
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  // The later timestamp wins, and clients take theirs from clocks in steps of a millisecond: with one each, of two puts that follow each other
  // within a millisecond the first may win.
  const clock = new policies.timestampGeneration.MonotonicTimestampGenerator(1000, 1000)

  underFaults({
    name: 'cassandra',
    port: direct,
    // The driver has unhandled rejections where the connection by which it hears of the cluster is cut.
    survivesCuts: false,
    hasBatches: true,
    async open(port) {
      const client = clientOf(
        { ...connection, contactPoints: [`127.0.0.1:${port}`] },
        {
          ...(port === direct ? {} : { socketOptions: { readTimeout: 250 } }),
          policies: { reconnection: new policies.reconnection.ConstantReconnectionPolicy(50), timestampGeneration: clock },
        },
      )
      await client.connect()
      return { adapter: cassandra(client, { keyspace: server.keyspace }), close: () => client.shutdown() }
    },
  })
})
