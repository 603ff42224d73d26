import { describe } from 'vitest'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connectSuite, suiteRuns } from './connected.js'

withServer('hbase', (connection) => {
  describe.each(suiteRuns)('%s, profile %s', (transport, profile) => {
    oraclePoolSuite(`HBase, ${transport}, ${profile}`, {
      createAdapter: () => connectSuite(connection, transport, { namespace: `oracle_${profile}`, profile }),
      queries: 2000,
      concurrency: 8,
    })
  })
})
