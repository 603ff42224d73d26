import { dynamodb } from '@rowkey/dynamodb'
import { clientOf } from './client.js'
import { withServer } from '../../../test/setup/with-server.js'
import { underFaults } from '../../../test/history/faults.js'

withServer('dynalite', ({ endpoint }) => {
  underFaults({
    name: 'dynalite',
    port: Number(new URL(endpoint).port),
    survivesCuts: true,
    hasBatches: false,
    open(port) {
      const client = clientOf({ endpoint: `http://127.0.0.1:${port}` }, { maxAttempts: 2 })
      return { adapter: dynamodb(client, { transactions: false, nativeTtl: false }), close: () => client.destroy() }
    },
  })
})
