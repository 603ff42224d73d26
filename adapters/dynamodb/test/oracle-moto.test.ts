import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'

withServer('moto', (connection) => {
  const createAdapter = () => {
    const client = clientOf(connection)
    return { adapter: dynamodb(client), dispose: () => client.destroy() }
  }
  oraclePoolSuite('moto', { createAdapter, queries: 60, concurrency: 4 })
})
