import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from '../dynamodb/client.js'
import { withServer } from '../setup/with-server.js'
import { guidesOn } from './guides-on.js'

withServer('dynamodb', (connection) => {
  guidesOn('dynamodb', () => {
    const client = clientOf(connection)
    return { adapter: dynamodb(client), dispose: () => client.destroy() }
  })
})
