import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from '../dynamodb/client.js'
import { withServer } from '../setup/with-server.js'
import { oraclePoolSuite } from './pool.js'

withServer('dynamodb', (connection) => {
  const createAdapter = () => {
    const client = clientOf(connection)
    return { adapter: dynamodb(client), dispose: () => client.destroy() }
  }
  oraclePoolSuite('DynamoDB', { createAdapter, queries: 500, concurrency: 4 })
})
