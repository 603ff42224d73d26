import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { guidesOn } from '../../../test/guides/guides-on.js'

withServer('moto', (connection) => {
  guidesOn('moto', () => {
    const client = clientOf(connection)
    // It ignores segments of scans.
    return { adapter: dynamodb(client, { segments: false }), dispose: () => client.destroy() }
  })
})
