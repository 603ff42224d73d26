import { DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import type { DynamoDBClient, TimeToLiveDescription, UpdateTimeToLiveCommandInput } from '@aws-sdk/client-dynamodb'
import { RowkeyError } from '@rowkey/store'
import { isNamed, schemaMismatch } from './errors.js'

/**
 * When the server itself may delete an item, in epoch seconds, the only form that DynamoDB's expiry reads. `rk_expires` holds the exact
 * milliseconds, by which rows are judged; this one is never earlier.
 */
export const ttlAttribute = 'rk_ttl'

/** The attribute of an expiry in epoch milliseconds. */
export const ttlOf = (expiry: number): { readonly N: string } => ({ N: String(Math.ceil(expiry / 1000) + 0) })

/** @throws RowkeyError `SCHEMA_MISMATCH` if items expire by another attribute, `STORE_LACKS` */
export async function enableTtl(client: DynamoDBClient, input: UpdateTimeToLiveCommandInput): Promise<void> {
  const table = input.TableName as string
  try {
    if (await isEnabled(client, table)) return
    await client.send(new UpdateTimeToLiveCommand(input))
  } catch (error) {
    if (isNamed(error, 'UnknownOperationException')) throw lacksTtl(table, error)
    // Another may have been faster.
    if (!isNamed(error, 'ValidationException') || !(await isEnabled(client, table))) throw error
  }
}

async function isEnabled(client: DynamoDBClient, table: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: table }))
  const { TimeToLiveStatus, AttributeName }: TimeToLiveDescription = TimeToLiveDescription ?? {}
  if (TimeToLiveStatus !== 'ENABLED' && TimeToLiveStatus !== 'ENABLING') return false
  if (AttributeName === ttlAttribute) return true
  const remedy =
    'Switch it off, wait until DynamoDB allows another change (an hour), and call ensureTables() again: aws dynamodb update-time-to-live ' +
    `--table-name ${table} --time-to-live-specification Enabled=false,AttributeName=${AttributeName}`
  throw schemaMismatch(table, [`items expire by attribute '${AttributeName}', those of rowkey by '${ttlAttribute}'`], remedy)
}

function lacksTtl(table: string, cause: unknown): RowkeyError<'STORE_LACKS'> {
  const message = `the server knows no expiry of items, which '${table}' is to have. Make the adapter with { nativeTtl: false }; expired rows then stay until db.purgeExpired().`
  return new RowkeyError('STORE_LACKS', message, { table, capability: 'nativeTtl', adapter: 'dynamodb' }, { cause })
}
