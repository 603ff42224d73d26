import { oraclePoolSuite } from '../../../test/oracle/pool.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'

withServer('kudu', (connection) => {
  oraclePoolSuite('Kudu', { createAdapter: () => connect(connection), queries: 2000, concurrency: 8 })
})
