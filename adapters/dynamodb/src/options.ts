import { clientOption, RowkeyError, show } from '@rowkey/store'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Options of `dynamodb()`. */
export interface DynamoDBOptions {
  /**
   * Whether the server has TransactWriteItems. Default true, as Amazon's. With false the adapter declares that it can write one row at a
   * time only, and atomic batches are refused before anything is sent. For compatible servers that lack it.
   */
  readonly transactions?: boolean
  /**
   * Whether `ensureTables` switches on the server's own expiry (`UpdateTimeToLive`) for tables with a ttl. Default true. With false expired
   * rows stay until `db.purgeExpired()` deletes them. They are never read, either way.
   */
  readonly nativeTtl?: boolean
}

const names = ['transactions', 'nativeTtl'] as const

/** All options. @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(given: DynamoDBOptions): Required<DynamoDBOptions> {
  if (typeof given !== 'object' || (given as DynamoDBOptions | null) === null) {
    throw invalidOption('options', given, 'Give an object, or leave it out.')
  }
  for (const [option, value] of Object.entries(given)) {
    if (!names.some((name) => name === option)) throw invalidOption(option, value, `There are ${names.join(' and ')}.`)
    if (value !== undefined && typeof value !== 'boolean') throw invalidOption(option, value, 'Give true or false.')
  }
  return { transactions: given.transactions ?? true, nativeTtl: given.nativeTtl ?? true }
}

function invalidOption(option: string, given: unknown, remedy: string): RowkeyError<'INVALID_OPTION'> {
  const value = show(given)
  return new RowkeyError('INVALID_OPTION', `dynamodb(): ${option} cannot be ${value}. ${remedy}`, { option, value })
}

/**
 * Refuses anything but a client of version 3 for DynamoDB. Every option of such a client suits: what it must not do, repeat a write on its
 * own, the adapter keeps it from.
 *
 * @throws RowkeyError `CLIENT_OPTION`
 */
export function checkClient(client: DynamoDBClient): void {
  const given = client as unknown
  if (typeof given !== 'object' || given === null || !('send' in given) || !('config' in given)) {
    throw clientOption('dynamodb', 'send', given, 'It is no client.', remedy)
  }
  const { serviceId } = given.config as { readonly serviceId?: unknown }
  if (serviceId !== 'DynamoDB') throw clientOption('dynamodb', 'serviceId', serviceId, 'It is of another service.', remedy)
}

const remedy = 'Give a DynamoDBClient of @aws-sdk/client-dynamodb.'
