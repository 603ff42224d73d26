import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { guidesOn } from '../../../test/guides/guides-on.js'

withServer('dynamodb', (connection) => {
  guidesOn('dynamodb', () => {
    const client = clientOf(connection)
    return { adapter: dynamodb(client), dispose: () => client.destroy() }
  })
})
