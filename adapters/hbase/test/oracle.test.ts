import { describe } from 'vitest'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connectSuite, suiteTransports } from './connected.js'

withServer('hbase', (connection) => {
  describe.each(suiteTransports)('%s', (transport) => {
    oraclePoolSuite(`HBase, ${transport}`, {
      createAdapter: () => connectSuite(connection, transport, { namespace: 'oracle' }),
      queries: 240,
      concurrency: 8,
    })
  })
})
