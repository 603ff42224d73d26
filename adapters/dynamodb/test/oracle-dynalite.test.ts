import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { oraclePoolSuite } from '../../../test/oracle/pool.js'

withServer('dynalite', (connection) => {
  const createAdapter = () => {
    const client = clientOf(connection)
    return { adapter: dynamodb(client, { transactions: false, nativeTtl: false }), dispose: () => client.destroy() }
  }
  oraclePoolSuite('dynalite', { createAdapter, queries: 400, concurrency: 4 })
})
