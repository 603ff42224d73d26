import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from '../dynamodb/client.js'
import { withServer } from '../setup/with-server.js'
import { guidesOn } from './guides-on.js'

withServer('dynalite', (connection) => {
  guidesOn('dynalite', () => {
    const client = clientOf(connection)
    // It has neither.
    return { adapter: dynamodb(client, { transactions: false, nativeTtl: false }), dispose: () => client.destroy() }
  })
})
