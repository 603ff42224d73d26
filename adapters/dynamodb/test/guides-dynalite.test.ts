import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { guidesOn } from '../../../test/guides/guides-on.js'

withServer('dynalite', (connection) => {
  guidesOn('dynalite', () => {
    const client = clientOf(connection)
    // It has neither.
    return { adapter: dynamodb(client, { transactions: false, nativeTtl: false }), dispose: () => client.destroy() }
  })
})
