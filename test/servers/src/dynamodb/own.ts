import type { DynamodbConnection } from './endpoint.js'
import type { Launcher } from '../server.js'

/** A DynamoDB of the user's own; nothing is started. */
export const ownDynamodb: Launcher<DynamodbConnection> = {
  name: 'dynamodb',
  isOwnOnly: true,
  missing: () => 'ROWKEY_DYNAMODB_ENDPOINT is not set',
  own() {
    const endpoint = process.env['ROWKEY_DYNAMODB_ENDPOINT']
    return endpoint === undefined || endpoint === '' ? undefined : { endpoint }
  },
  fetch: () => Promise.resolve(),
  start: () => Promise.reject(new Error('ROWKEY_DYNAMODB_ENDPOINT is not set')),
}
