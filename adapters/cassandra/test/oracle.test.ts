import { connect } from './connected.js'
import { withServer } from '../../../test/setup/with-server.js'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'

withServer('cassandra', (connection) => {
  oraclePoolSuite('Cassandra', { createAdapter: () => connect(connection), queries: 400, concurrency: 4 })
})
