import type { DynamodbConnection } from '@rowkey/servers'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodb, type DynamoDBOptions } from '@rowkey/dynamodb'
import type { Opened, StoreKit } from '../../../test/kit/store-kit.js'
import { clientOf } from './client.js'

/** What the adapter needs of a client, connected to nothing. */
export const fakeClient = (send: (...args: never[]) => unknown = () => undefined) => ({ send, config: { serviceId: 'DynamoDB' } })

const opened = ({ endpoint }: DynamodbConnection, options: DynamoDBOptions): Opened => {
  const client = clientOf({ endpoint })
  return { adapter: dynamodb(client, options), close: () => client.destroy() }
}

export const kit: StoreKit = {
  factory: [[fakeClient(), { transactions: true, nativeTtl: true, segments: true }], (client, options) => dynamodb(client, options)],
  offline: () => dynamodb(new DynamoDBClient({ region: 'eu-central-1' })),
  on: {
    dynalite: (connection) => opened(connection, { transactions: false, nativeTtl: false, segments: true }), // it has neither
    moto: (connection) => opened(connection, { transactions: true, nativeTtl: true, segments: false }), // it ignores segments
    dynamodb: (connection) => opened(connection, {}),
  },
  share: { moto: 0.1 }, // about a hundred writes a second
}
