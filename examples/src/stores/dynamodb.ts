import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodb } from '@rowkey/dynamodb'
import type { Open } from './open-stores.js'

// The client would begin every output with a page on the versions of Node.js that its later releases need.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

/** A server of your own, or else one that has transactions, or the one that is stricter. */
export const open: Open = async (servers, needsTransactions) => {
  const own = await servers.connect('dynamodb')
  servers.missing.delete('dynamodb') // only a server of your own, which another stands in for
  const emulation = needsTransactions ? 'moto' : 'dynalite'
  const server = own ?? (await servers.connect(emulation))
  if (server === undefined) return undefined
  const { endpoint } = server.connection
  // Servers on this machine take any credentials.
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } })
  const isComplete = own !== undefined || needsTransactions
  return {
    version: own === undefined ? `${emulation} ${server.version}` : server.version,
    adapter: dynamodb(client, { transactions: isComplete, nativeTtl: isComplete }),
    close: () => client.destroy(),
  }
}
