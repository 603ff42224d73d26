import { connect } from '../cassandra/connected.js'
import { withServer } from '../setup/with-server.js'
import { oraclePoolSuite } from './pool.js'

withServer('cassandra', (connection) => {
  oraclePoolSuite('Cassandra', { createAdapter: () => connect(connection), queries: 400, concurrency: 4 })
})
