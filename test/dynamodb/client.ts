import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** A client of a server on this machine, which looks at no credentials. */
export function clientOf({ endpoint }: { readonly endpoint: string }, config: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' }, ...config })
}
