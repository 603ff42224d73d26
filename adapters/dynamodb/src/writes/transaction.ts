// Tested by wide-tables.test.ts and batches.test.ts.
import type {
  AttributeValue,
  CancellationReason,
  ConditionCheck,
  DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import {
  applied,
  atomicScope,
  failed,
  type Mutation,
  type Outcome,
  RowkeyError,
  tableNotFound,
  unprocessed,
  type WriteOptions,
} from 'rowkey/adapter'
import { createHash } from 'node:crypto'
import { isList, isMap } from '../client/answers.js'
import { capabilitiesOf, maxTransactionBytes } from '../capabilities.js'
import type { NativeRequest } from '../changes.js'
import { inRequest, Transact } from '../client/requests.js'
import { isNamed, isOtherKey, isTableGone, onTable } from '../errors.js'
import { describe, formOfKey } from '../native-table.js'
import { name } from '../options.js'
import { outcomeOf, refusalOf } from '../outcomes.js'
import type { Item, RowForm } from '../keys.js'

/** Applies all mutations or none, by one transaction. */
export async function writeAtomic(
  client: DynamoDBClient,
  requests: readonly NativeRequest[],
  token: string,
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  const bytes = requests.reduce((sum, request) => sum + bytesOf(request), 0)
  if (bytes > maxTransactionBytes) {
    const cause = refusal(
      true,
      requests.length,
      `they take at least ${bytes} bytes, more than ${maxTransactionBytes}`,
      'Write fewer rows in one call',
    )
    return requests.map(() => failed(cause))
  }
  try {
    const TransactItems = requests.map(transactItemOf)
    // A token belongs to one input. What is computed from items may be another the next time.
    const isComputed = requests.some((request) => request.isComputed === true)
    const input = { TransactItems, ClientRequestToken: clientToken(isComputed ? `${token} ${JSON.stringify(TransactItems)}` : token) }
    await inRequest(options, (how) => client.send(new Transact(input), how))
    return requests.map(() => applied)
  } catch (error) {
    if (isNamed(error, 'TransactionCanceledException')) {
      const { CancellationReasons: reasons } = error as TransactionCanceledException
      return Promise.all(requests.map((request, i) => canceled(request, isList(reasons) ? reasons[i] : undefined, error, options)))
    }
    if (isNamed(error, 'UnknownOperationException')) return requests.map(({ mutation }) => failed(lacksTransactions(mutation, error)))
    if (isTableGone(error)) return withoutTable(client, requests)
    const outcome = outcomeOf(error)
    return requests.map(() => outcome)
  }
}

/** The outcomes of a server without transactions. The core refuses it already. */
export function withoutTransactions(writes: number): Outcome {
  return failed(refusal(false, writes, 'dynamodb() was called with transactions: false', 'Write one row in a call'))
}

const refusal = (transactions: boolean, writes: number, reason: string, remedy: string): Error =>
  atomicScope({ name, capabilities: capabilitiesOf(transactions) }, writes, reason, remedy)

/** A server that is compatible with DynamoDB, but not in this. */
function lacksTransactions({ schema: { name: table } }: Mutation, cause: unknown): Error {
  const message = `the server of '${table}' has no transactions. Call dynamodb(client, { transactions: false }): then atomic writes of several rows are refused before anything is sent. Nothing was written.`
  return new RowkeyError('NOT_SUPPORTED', message, { table, capability: 'transactions', adapter: name }, { cause })
}

/** The error does not say which table it is. Nothing was written. */
async function withoutTable(client: DynamoDBClient, requests: readonly NativeRequest[]): Promise<readonly Outcome[]> {
  const forms = new Map(requests.map(({ mutation, table }) => [mutation.schema.name, table.form]))
  const isMissing = async (table: string, form: RowForm): Promise<boolean> => {
    const found = await onTable(table, () => describe(client, table))
    return found === undefined || formOfKey(table, found) !== form
  }
  try {
    const missing = forms.size === 1 ? new Set(forms.keys()) : new Set<string>()
    if (missing.size === 0) for (const [table, form] of forms) if (await isMissing(table, form)) missing.add(table)
    return requests.map(({ mutation: { schema } }) => (missing.has(schema.name) ? failed(tableNotFound(schema.name)) : unprocessed))
  } catch {
    return requests.map(() => unprocessed)
  }
}

/** The outcome of a mutation of a canceled transaction. */
async function canceled(
  request: NativeRequest,
  reason: CancellationReason | undefined,
  cause: unknown,
  options: WriteOptions,
): Promise<Outcome> {
  switch (isMap(reason) ? reason.Code : undefined) {
    case 'ConditionalCheckFailed':
      return request.isComputed === true ? unprocessed : refusalOf(request, reason?.Item, options)
    case undefined:
    case 'None':
    case 'TransactionConflict':
    case 'ThrottlingError':
    case 'ProvisionedThroughputExceeded':
      return unprocessed
    default:
      if (isOtherKey(reason?.Message)) return failed(tableNotFound(request.mutation.schema.name))
      return failed(cause) // such as an item that grows too large
  }
}

function transactItemOf(request: NativeRequest): TransactWriteItem {
  if ('put' in request) return { Put: request.put }
  if ('remove' in request) return { Delete: request.remove }
  const { UpdateExpression, ...check } = request.update
  // An update without changes only has its condition. In a transaction, DynamoDB refuses an Update without an expression.
  return UpdateExpression === undefined ? { ConditionCheck: check as ConditionCheck } : { Update: { ...check, UpdateExpression } }
}

/** What a request adds to a transaction. The rest of an updated item is not known, so it may be more. */
function bytesOf(request: NativeRequest): number {
  if ('put' in request) return itemBytes(request.put.Item as Item)
  return 'update' in request ? itemBytes(request.update.ExpressionAttributeValues ?? {}) : 0
}

function itemBytes(item: Item): number {
  let bytes = 0
  for (const [attribute, value] of Object.entries(item)) bytes += attribute.length + valueBytes(value)
  return bytes
}

/** At most what the service counts. It counts a number by its digits, two in a byte. */
function valueBytes({ S, B, N }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S)
  return B?.length ?? (N === undefined ? 1 : N.length >> 1)
}

const maxTokenLength = 36

const clientToken = (token: string): string =>
  token.length > 0 && token.length <= maxTokenLength ? token : createHash('sha256').update(token).digest('hex').slice(0, maxTokenLength)
