import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTimeToLiveCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  type TableDescription,
  type TimeToLiveDescription,
  type UpdateTimeToLiveCommandInput,
} from '@aws-sdk/client-dynamodb'
import { pause, RowkeyError, type Cancellation } from '@rowkey/store/adapter'
import { isNamed, schemaMismatch } from './errors.js'

/** A table as the server describes it; undefined if there is none. */
export async function describe(client: DynamoDBClient, table: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: table }))).Table
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
}

/** @throws RowkeyError `SCHEMA_MISMATCH` */
export function checkKeySchema(table: string, { KeySchema = [], AttributeDefinitions = [] }: TableDescription): void {
  const typeOf = (name: string | undefined): string | undefined =>
    AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType
  const key = KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${typeOf(AttributeName)} ${KeyType}`)
  const wanted = 'p B HASH, s B RANGE'
  if (key.join(', ') === wanted) return
  const remedy =
    'It belongs to something else. Use another name or prefix; or, if nobody needs it, delete it and call ensureTables() again: ' +
    `aws dynamodb delete-table --table-name ${table}`
  throw schemaMismatch(table, [`the key is ${key.join(', ')}, that of rowkey's tables ${wanted}`], remedy)
}

const maxWait = 5 * 60_000
const maxPause = 2000

/** Creates a table unless it is there, and waits until it can be used. @throws RowkeyError `SCHEMA_MISMATCH`, `TABLE_NOT_FOUND` */
export async function createTable(client: DynamoDBClient, input: CreateTableCommandInput, cancellation?: Cancellation): Promise<void> {
  const table = input.TableName as string
  await until(table, 'usable', cancellation, async () => {
    const found = await describe(client, table)
    if (found === undefined) {
      await ignoring('ResourceInUseException', () => client.send(new CreateTableCommand(input))) // another was faster
      return false
    }
    checkKeySchema(table, found)
    return found.TableStatus === 'ACTIVE' || found.TableStatus === 'UPDATING'
  })
}

/** Deletes a table and waits until it is gone. @throws RowkeyError `TABLE_NOT_FOUND` */
export async function deleteTable(client: DynamoDBClient, table: string, cancellation?: Cancellation): Promise<void> {
  let doomed: string | undefined
  await until(table, 'gone', cancellation, async () => {
    const found = await describe(client, table)
    // Another may create it anew as soon as it is gone: that one has to stay.
    if (found === undefined || (doomed !== undefined && identityOf(found) !== doomed)) return true
    doomed = identityOf(found)
    // In use: it is still being created, or deleted already.
    const gone = ['ResourceInUseException', 'ResourceNotFoundException']
    if (found.TableStatus !== 'DELETING') await ignoring(gone, () => client.send(new DeleteTableCommand({ TableName: table })))
    return false
  })
}

/** Another for a table that was created anew under its name; compatible servers lack the id. */
const identityOf = ({ TableId, CreationDateTime }: TableDescription): string => `${TableId} ${CreationDateTime?.getTime()}`

async function ignoring(names: string | readonly string[], run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isNamed(error, ...[names].flat())) throw error
  }
}

/** Asks again and again, first at once; tables take seconds. */
async function until(table: string, what: string, cancellation: Cancellation | undefined, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + maxWait
  for (let ms = 10; !(await isDone()); ms = Math.min(maxPause, ms * 2)) {
    if (Date.now() >= end) {
      const message = `table '${table}' is not ${what} after ${maxWait / 60_000} minutes. Look at its status in DynamoDB, then repeat the call.`
      throw new RowkeyError('TABLE_NOT_FOUND', message, { table })
    }
    await pause(ms, cancellation)
  }
}

/**
 * When the server itself may delete an item, in epoch seconds, the only form that DynamoDB's expiry reads. `rk_expires` holds the exact
 * milliseconds, by which rows are judged; this one is never earlier.
 */
export const ttlAttribute = 'rk_ttl'

/** The attribute of an expiry in epoch milliseconds. */
export const ttlOf = (expiry: number): { readonly N: string } => ({ N: String(Math.ceil(expiry / 1000) + 0) })

/** @throws RowkeyError `SCHEMA_MISMATCH` if items expire by another attribute, `NOT_SUPPORTED` */
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

function lacksTtl(table: string, cause: unknown): RowkeyError<'NOT_SUPPORTED'> {
  const message = `the server knows no expiry of items, which '${table}' is to have. Make the adapter with { nativeTtl: false }; expired rows then stay until db.purgeExpired().`
  return new RowkeyError('NOT_SUPPORTED', message, { table, capability: 'nativeTtl', adapter: 'dynamodb' }, { cause })
}
