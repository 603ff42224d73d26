import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import type { CreateTableCommandInput, DynamoDBClient, TableDescription } from '@aws-sdk/client-dynamodb'
import { RowkeyError } from '@rowkey/store'
import { setTimeout } from 'node:timers/promises'
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

const longestWait = 5 * 60_000
const longestPause = 2000

/** Creates a table unless it is there, and waits until it can be used. @throws RowkeyError `SCHEMA_MISMATCH`, `TABLE_MISSING` */
export async function createTable(client: DynamoDBClient, input: CreateTableCommandInput): Promise<void> {
  const table = input.TableName as string
  await until(table, 'usable', async () => {
    const found = await describe(client, table)
    if (found === undefined) {
      await ignoring('ResourceInUseException', () => client.send(new CreateTableCommand(input))) // another was faster
      return false
    }
    checkKeySchema(table, found)
    return found.TableStatus === 'ACTIVE' || found.TableStatus === 'UPDATING'
  })
}

/** Deletes a table and waits until it is gone. @throws RowkeyError `TABLE_MISSING` */
export async function deleteTable(client: DynamoDBClient, table: string): Promise<void> {
  let doomed: string | undefined
  await until(table, 'gone', async () => {
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
async function until(table: string, what: string, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + longestWait
  for (let pause = 10; !(await isDone()); pause = Math.min(longestPause, pause * 2)) {
    if (Date.now() >= end) {
      const message = `table '${table}' is not ${what} after ${longestWait / 60_000} minutes. Look at its status in DynamoDB, then repeat the call.`
      throw new RowkeyError('TABLE_MISSING', message, { table })
    }
    await setTimeout(pause)
  }
}
