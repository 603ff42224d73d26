import { connect } from './connected.js'
import { withServer } from '../../../test/setup/with-server.js'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'

withServer('cassandra', (connection) => {
  oraclePoolSuite('Cassandra', { createAdapter: () => connect(connection), queries: 240, concurrency: 4 })
})
