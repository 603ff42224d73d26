import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from '../dynamodb/client.js'
import { withServer } from '../setup/with-server.js'
import { guidesOn } from './guides-on.js'

withServer('moto', (connection) => {
  guidesOn('moto', () => {
    const client = clientOf(connection)
    // It ignores segments of scans.
    return { adapter: dynamodb(client, { segments: false }), dispose: () => client.destroy() }
  })
})
