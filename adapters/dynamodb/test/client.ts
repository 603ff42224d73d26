import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { limited } from './service-limits.js'

/** A client of a server on this machine, which looks at no credentials and refuses what is too large for the service. */
export function clientOf({ endpoint }: { readonly endpoint: string }, config: DynamoDBClientConfig = {}): DynamoDBClient {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  return limited(new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials, ...config }))
}
