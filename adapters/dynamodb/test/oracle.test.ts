import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'

withServer('dynamodb', (connection) => {
  const createAdapter = () => {
    const client = clientOf(connection)
    return { adapter: dynamodb(client), dispose: () => client.destroy() }
  }
  oraclePoolSuite('DynamoDB', { createAdapter, queries: 500, concurrency: 4 })
})
