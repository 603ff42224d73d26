// Tested by packages/cli/test/stores-url.test.ts.
import type * as sdk from '@aws-sdk/client-dynamodb'
import type { StoreOpening } from 'rowkey/adapter'

const options = ['transactions', 'nativeTtl', 'segments']

/** What a role needs that creates tables, uses them and drops them. */
const actions = [
  ...['CreateTable', 'DescribeTable', 'DeleteTable', 'DescribeTimeToLive', 'UpdateTimeToLive'],
  ...['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'ConditionCheckItem'],
]

/** How a URL opens it. */
export const opening: StoreOpening = Object.freeze({
  form: 'dynamodb://region or dynamodb://host:port?region=',
  parameters: ['region', ...options],
  credentials: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  rights: (prefix) => actions.map((action) => `dynamodb:${action} on arn:aws:dynamodb:*:*:table/${prefix}*`),
  drivers: ['@aws-sdk/client-dynamodb'],
  open([{ DynamoDBClient }]: readonly [typeof sdk], { url: { place, parameters }, env, host: hostOf, flag, answerMs }) {
    const isRegion = /^[a-z]{2,}(?:-[a-z]+)+-\d+$/.test(place)
    const { host, port } = isRegion ? { host: '', port: 0 } : hostOf(place, 8000)
    const region = isRegion ? place : (parameters.get('region') ?? env['AWS_REGION'] ?? 'us-east-1')
    // Servers on this machine take any credentials, but the client wants some.
    const isOpen = !isRegion && env['AWS_ACCESS_KEY_ID'] === undefined && env['AWS_PROFILE'] === undefined
    const client = new DynamoDBClient({
      region,
      maxAttempts: 3,
      // Of three attempts. Without the last option it only warns.
      requestHandler: { connectionTimeout: 2000, requestTimeout: answerMs / 2, throwOnRequestTimeout: true },
      ...(isRegion ? {} : { endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${port}` }),
      ...(isOpen ? { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } : {}),
    })
    return {
      arguments: [client, Object.fromEntries(options.flatMap((name) => (parameters.has(name) ? [[name, flag(name)]] : [])))],
      close: () => {
        client.destroy()
      },
    }
  },
} satisfies StoreOpening)
