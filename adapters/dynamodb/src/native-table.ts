// Tested by tables.test.ts.
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
import { pause, RowkeyError, showName, showNames, type Cancellation } from 'rowkey/adapter'
import { isList, isMap } from './client/answers.js'
import { shellWord } from './ddl.js'
import { badAnswer, isNamed, schemaMismatch } from './errors.js'
import { firstForm, rowkeyForm, type RowForm } from './keys.js'
import { ttlAttribute } from './rows.js'

/** A table as the server describes it; undefined if there is none. @throws RowkeyError `ADAPTER_FAULT` */
export async function describe(client: DynamoDBClient, table: string): Promise<TableDescription | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table }))
    if (!isMap(Table)) throw badAnswer(table, 'a description without a table')
    return Table
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
}

/** The form of a table by its key. @throws RowkeyError `SCHEMA_MISMATCH` for any other key */
export function formOfKey(table: string, { KeySchema = [], AttributeDefinitions = [] }: TableDescription): RowForm {
  if (!isList(KeySchema) || !isList(AttributeDefinitions)) throw badAnswer(table, 'a description without a key')
  const typeOf = (name: string | undefined): string | undefined =>
    AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType
  const key = KeySchema.map(({ AttributeName, KeyType }) => `${AttributeName} ${typeOf(AttributeName)} ${KeyType}`)
  const keyOf = ({ partition, sort }: RowForm): string => `${partition} B HASH, ${sort} B RANGE`
  const form = [rowkeyForm, firstForm].find((each) => keyOf(each) === key.join(', '))
  if (form !== undefined) return form
  const remedy = 'It belongs to another program. Use another name or prefix.'
  throw schemaMismatch(table, [`its key is ${showNames(key)}, but tables of rowkey have ${keyOf(rowkeyForm)}`], remedy)
}

const maxWait = 5 * 60_000
const maxPause = 2000

/** Creates a table if it does not exist, waits until it can be used, and returns its form. @throws RowkeyError `SCHEMA_MISMATCH`, `TABLE_NOT_FOUND` */
export async function createTable(client: DynamoDBClient, input: CreateTableCommandInput, cancellation?: Cancellation): Promise<RowForm> {
  const table = input.TableName as string
  let form = rowkeyForm
  await until(table, 'usable', cancellation, async () => {
    const found = await describe(client, table)
    if (found === undefined) {
      await ignoring('ResourceInUseException', () => client.send(new CreateTableCommand(input))) // another process was faster
      return false
    }
    form = formOfKey(table, found)
    return found.TableStatus === 'ACTIVE' || found.TableStatus === 'UPDATING'
  })
  return form
}

/** Deletes a table and waits until it is gone. @throws RowkeyError `TABLE_NOT_FOUND` */
export async function deleteTable(client: DynamoDBClient, table: string, cancellation?: Cancellation): Promise<void> {
  let doomed: string | undefined
  await until(table, 'gone', cancellation, async () => {
    const found = await describe(client, table)
    // Another process may create it again as soon as it is gone. That table must not be deleted.
    if (found === undefined || (doomed !== undefined && identityOf(found) !== doomed)) return true
    doomed = identityOf(found)
    // In use: it is still being created, or already being deleted.
    const gone = ['ResourceInUseException', 'ResourceNotFoundException']
    if (found.TableStatus !== 'DELETING') await ignoring(gone, () => client.send(new DeleteTableCommand({ TableName: table })))
    return false
  })
}

/** Identifies a table among others of the same name that existed before or after. Compatible servers lack the id. */
const identityOf = ({ TableId, CreationDateTime }: TableDescription): string => `${TableId} ${CreationDateTime?.getTime()}`

async function ignoring(names: string | readonly string[], run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isNamed(error, ...[names].flat())) throw error
  }
}

/** Polls until it is done. Changes of tables take seconds. */
async function until(table: string, what: string, cancellation: Cancellation | undefined, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + maxWait
  for (let ms = 10; !(await isDone()); ms = Math.min(maxPause, ms * 2)) {
    if (Date.now() >= end) {
      const message = `table '${table}' is not ${what} after ${maxWait / 60_000} minutes. Check its status in DynamoDB, then repeat the call.`
      throw new RowkeyError('TABLE_NOT_FOUND', message, { table })
    }
    await pause(ms, cancellation)
  }
}

/** @throws RowkeyError `SCHEMA_MISMATCH` if items expire by another attribute, `NOT_SUPPORTED` */
export async function enableTtl(client: DynamoDBClient, input: UpdateTimeToLiveCommandInput): Promise<void> {
  const table = input.TableName as string
  try {
    if (await isEnabled(client, table)) return
    await client.send(new UpdateTimeToLiveCommand(input))
  } catch (error) {
    if (isNamed(error, 'UnknownOperationException')) throw lacksTtl(table, error)
    // Another process may have been faster.
    if (!isNamed(error, 'ValidationException') || !(await isEnabled(client, table))) throw error
  }
}

async function isEnabled(client: DynamoDBClient, table: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: table }))
  const { TimeToLiveStatus, AttributeName }: TimeToLiveDescription = TimeToLiveDescription ?? {}
  if (TimeToLiveStatus !== 'ENABLED' && TimeToLiveStatus !== 'ENABLING') return false
  if (AttributeName === ttlAttribute) return true
  const remedy =
    'Disable that, wait until DynamoDB allows another change (an hour), and call ensureTables() again: aws dynamodb update-time-to-live ' +
    `--table-name ${table} --time-to-live-specification ${ttlWord(AttributeName)}`
  throw schemaMismatch(
    table,
    [`its items expire by attribute '${showName(AttributeName)}', but those of rowkey expire by '${ttlAttribute}'`],
    remedy,
  )
}

/** An argument for a shell. Any attribute can be the one of another program. */
const ttlWord = (attribute = ''): string =>
  /^[\w.-]+$/.test(attribute)
    ? `Enabled=false,AttributeName=${attribute}`
    : shellWord(JSON.stringify({ Enabled: false, AttributeName: attribute }))

function lacksTtl(table: string, cause: unknown): RowkeyError<'NOT_SUPPORTED'> {
  const message = `the server does not support the expiry of items, which '${table}' needs. Call dynamodb(client, { nativeTtl: false }). Expired rows are then stored until db.purgeExpired() deletes them.`
  return new RowkeyError('NOT_SUPPORTED', message, { table, capability: 'nativeTtl', adapter: 'dynamodb' }, { cause })
}
