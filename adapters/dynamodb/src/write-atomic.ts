import type {
  CancellationReason,
  ConditionCheck,
  DynamoDBClient,
  TransactionCanceledException,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import type { Outcome, WriteOptions } from '@rowkey/store'
import { createHash } from 'node:crypto'
import { isNamed, tableMissing } from './errors.js'
import { inRequest } from './in-request.js'
import { outcomeOf } from './outcome-of-error.js'
import { applied, refusalOf, unprocessed } from './refusal.js'
import type { Request } from './request.js'
import { Transact } from './send-once.js'

/** Applies all mutations or none, by one transaction. */
export async function writeAtomic(
  client: DynamoDBClient,
  requests: readonly Request[],
  token: string,
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  try {
    const input = { TransactItems: requests.map(nativeOf), ClientRequestToken: clientToken(token) }
    await inRequest(options, (how) => client.send(new Transact(input), how))
    return requests.map(() => applied)
  } catch (error) {
    if (isNamed(error, 'TransactionCanceledException')) {
      const { CancellationReasons = [] } = error as TransactionCanceledException
      return Promise.all(requests.map((request, i) => canceled(client, request, CancellationReasons[i], error, options)))
    }
    const tables = new Set(requests.map(({ mutation }) => mutation.schema.name))
    const [table] = tables
    const isMissing = table !== undefined && tables.size === 1 && isNamed(error, 'ResourceNotFoundException')
    const outcome: Outcome = isMissing ? { kind: 'failed', cause: tableMissing(table) } : outcomeOf(error)
    return requests.map(() => outcome)
  }
}

/** Why a transaction was canceled, as far as it was this mutation's fault. */
async function canceled(
  client: DynamoDBClient,
  request: Request,
  reason: CancellationReason | undefined,
  cause: unknown,
  options: WriteOptions,
): Promise<Outcome> {
  switch (reason?.Code) {
    case 'ConditionalCheckFailed':
      return refusalOf(client, request, reason.Item, options)
    case undefined:
    case 'None':
    case 'TransactionConflict':
    case 'ThrottlingError':
    case 'ProvisionedThroughputExceeded':
      return unprocessed
    default:
      return { kind: 'failed', cause } // such as an item that grows too large
  }
}

function nativeOf(request: Request): TransactWriteItem {
  if ('put' in request) return { Put: request.put }
  if ('remove' in request) return { Delete: request.remove }
  const { UpdateExpression, ...check } = request.update
  // Of an update without changes the condition is left; in a transaction DynamoDB takes no Update without an expression.
  return UpdateExpression === undefined ? { ConditionCheck: check as ConditionCheck } : { Update: { ...check, UpdateExpression } }
}

const longestToken = 36

const clientToken = (token: string): string =>
  token.length > 0 && token.length <= longestToken ? token : createHash('sha256').update(token).digest('hex').slice(0, longestToken)
