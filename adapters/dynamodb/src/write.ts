import type {
  CancellationReason,
  ConditionalCheckFailedException,
  ConditionCheck,
  DynamoDBClient,
  WriteRequest as BatchItem,
  TransactionCanceledException,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import {
  applied,
  appliedTo,
  atomicScope,
  failed,
  failedBy,
  inParallel,
  RowkeyError,
  tableNotFound,
  unprocessed,
} from '@rowkey/store/adapter'
import type { Mutation, Outcome, TableSchema, WriteOptions } from '@rowkey/store/adapter'
import { createHash } from 'node:crypto'
import { capabilitiesOf } from './capabilities.js'
import { requestOf, type NativeRequest } from './changes.js'
import { BatchWriteOnce, DeleteOnce, inRequest, PutOnce, Transact, UpdateOnce } from './client/requests.js'
import { isNamed } from './errors.js'
import { hasLongAmounts, isJudged, judgedRequest, type Changed } from './judged.js'
import { addressOf } from './get.js'
import { name } from './options.js'
import { outcomeOf, refusalOf } from './outcomes.js'
import type { Item, ItemFormat } from './rows.js'

const callsAtOnce = 16

/** How writes are sent. */
export interface WriteContext {
  readonly client: DynamoDBClient
  readonly transactions: boolean
  formatOf(schema: TableSchema): ItemFormat
}

/** Applies mutations: each one with a condition by a separate call, up to 25 others by one call. */
export async function write(context: WriteContext, batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
  const prepared = batch.map((mutation) => prepare(context, mutation, options.now))
  return options.atomic !== undefined && batch.length > 1
    ? sendAll(context, prepared, options.atomic, options)
    : sendEach(context, prepared, options)
}

/** Encodes a mutation. If it is invalid, that is its outcome, and the others are not affected. */
function prepare({ formatOf }: WriteContext, mutation: Mutation, now: number): NativeRequest | Outcome {
  try {
    return requestOf(mutation, formatOf(mutation.schema), now)
  } catch (cause) {
    return failedBy(cause)
  }
}

const isRequest = (one: NativeRequest | Outcome): one is NativeRequest => 'format' in one

/** One call, which returns the outcomes of the mutations at these places. */
interface Call {
  readonly places: readonly number[]
  run(): Promise<readonly Outcome[]>
}

async function sendEach(
  { client }: WriteContext,
  prepared: readonly (NativeRequest | Outcome)[],
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  const outcomes = prepared.map((one) => (isRequest(one) ? unprocessed : one))
  const alone: number[] = []
  const together: number[] = []
  prepared.forEach((one, i) => {
    if (isRequest(one)) (one.isConditional ? alone : together).push(i)
  })
  const requestAt = (place: number): NativeRequest => prepared[place] as NativeRequest
  const single = (place: number): Call => ({ places: [place], run: async () => [await writeOne(client, requestAt(place), options)] })
  const calls: Call[] = alone.map(single)
  for (let at = 0; at < together.length; at += maxInBatch) {
    const places = together.slice(at, at + maxInBatch)
    if (places.length === 1) calls.push(single(places[0] as number))
    else calls.push({ places, run: () => writeBatch(client, places.map(requestAt), options) })
  }
  await inParallel(calls, callsAtOnce, async (call) => {
    if (options.cancellation?.isOver === true) return // it stays unprocessed
    const given = await call.run()
    call.places.forEach((place, i) => (outcomes[place] = given[i] as Outcome))
  })
  return outcomes
}

async function sendAll(
  { client, transactions }: WriteContext,
  prepared: readonly (NativeRequest | Outcome)[],
  token: string,
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  if (!transactions) {
    const cause = withoutTransactions(prepared.length)
    return prepared.map(() => failed(cause))
  }
  const known = await Promise.all(
    prepared.map(async (one) => (isRequest(one) && isJudged(one) ? judgedRequest(client, one, options) : one)),
  )
  const requests = known.filter(isRequest)
  if (requests.length < known.length) return known.map((one) => (isRequest(one) ? unprocessed : one))
  return options.cancellation?.isOver === true ? prepared.map(() => unprocessed) : writeAtomic(client, requests, token, options)
}

/** The core refuses it already. */
const withoutTransactions = (writes: number): Error =>
  atomicScope(
    { name, capabilities: capabilitiesOf(false) },
    writes,
    'dynamodb() was called with transactions: false',
    'Write one row in a call',
  )

/** A server that is compatible with DynamoDB, but not in this. */
function lacksTransactions({ schema: { name: table } }: Mutation, cause: unknown): Error {
  const message = `the server of '${table}' has no transactions. Call dynamodb(client, { transactions: false }): then atomic writes of several rows are refused before anything is sent. Nothing was written.`
  return new RowkeyError('NOT_SUPPORTED', message, { table, capability: 'transactions', adapter: name }, { cause })
}

/** Applies one mutation by a separate call. */
async function writeOne(client: DynamoDBClient, request: NativeRequest, options: WriteOptions): Promise<Outcome> {
  const { mutation, format } = request
  if (mutation.conditions !== undefined || ('update' in request && !isNative(request))) return writeJudged(client, request, options)
  const outcome = await sendOne(client, request, options)
  if (outcome.kind === 'stale') return unprocessed
  if (outcome.kind !== 'missing' || mutation.kind !== 'update' || mutation.create === undefined) return outcome
  return writeJudged(client, { mutation, format }, options) // usually the row exists
}

/** Whether a server can apply an update. Compatible servers fail if it has no expression, because it changes nothing. */
function isNative({ mutation, update }: Extract<NativeRequest, { update: unknown }>): boolean {
  return update.UpdateExpression !== undefined && !(mutation.kind === 'update' && hasLongAmounts(mutation))
}

/** How often a change is computed again because another write has changed the row. */
const maxLooks = 10

/** A change that is computed from the existing item, and written if what it was computed from is still the same. */
async function writeJudged(client: DynamoDBClient, changed: Changed, options: WriteOptions): Promise<Outcome> {
  const isOver = (): boolean => options.cancellation?.isOver === true
  for (let look = 0; look < maxLooks && !isOver(); look++) {
    const judged = await judgedRequest(client, changed, options)
    if (!isRequest(judged)) return judged
    if (judged.unchanged !== undefined)
      return changed.mutation.kind === 'update' && changed.mutation.returns === true ? appliedTo(judged.unchanged) : applied
    if (isOver()) break // while the item was read
    const outcome = await sendOne(client, judged, options)
    if (outcome.kind !== 'stale') return withCreated(outcome, changed.mutation, judged)
  }
  return unprocessed
}

/** A put does not return its item. */
function withCreated(outcome: Outcome, asked: Mutation, { mutation: { row, kind } }: NativeRequest): Outcome {
  const returns = asked.kind === 'update' && asked.returns === true
  return returns && outcome.kind === 'applied' && kind !== 'update' ? appliedTo(row) : outcome
}

const stale = Object.freeze({ kind: 'stale' } as const)

async function sendOne(client: DynamoDBClient, request: NativeRequest, options: WriteOptions): Promise<Outcome | typeof stale> {
  const { mutation, format } = request
  const returns = mutation.kind === 'update' && mutation.returns === true
  try {
    const answer = await inRequest<{ readonly Attributes?: Item | undefined }>(options, (how) => {
      if ('put' in request) return client.send(new PutOnce(request.put as never), how)
      if ('remove' in request) return client.send(new DeleteOnce(request.remove as never), how)
      return client.send(new UpdateOnce({ ...request.update, ...(returns ? { ReturnValues: 'ALL_NEW' } : {}) } as never), how)
    })
    return returns && answer.Attributes !== undefined ? appliedTo(format.rowOf(mutation.row, answer.Attributes, format.reader())) : applied
  } catch (error) {
    if (isNamed(error, 'ConditionalCheckFailedException')) {
      if (request.isComputed === true) return stale
      return refusalOf(client, request, (error as ConditionalCheckFailedException).Item, options)
    }
    if (isNamed(error, 'ResourceNotFoundException')) return failed(tableNotFound(request.mutation.schema.name))
    return outcomeOf(error)
  }
}

/** Max items of one BatchWriteItem. So many of the largest rows stay below its limit of 16 MB. */
const maxInBatch = 25

/** Applies unconditional puts and deletes of any tables by one call. */
async function writeBatch(client: DynamoDBClient, requests: readonly NativeRequest[], options: WriteOptions): Promise<readonly Outcome[]> {
  const byTable = Object.create(null) as Record<string, BatchItem[]> // a table may be called constructor
  for (const request of requests) (byTable[request.mutation.schema.name] ??= []).push(batchItemOf(request))
  try {
    const { UnprocessedItems } = await inRequest(options, (how) => client.send(new BatchWriteOnce({ RequestItems: byTable }), how))
    if (UnprocessedItems === undefined || Object.keys(UnprocessedItems).length === 0) return requests.map(() => applied)
    const left = new Set(Object.entries(UnprocessedItems).flatMap(([table, list]) => list.map((one) => placeOf(table, one))))
    return requests.map((request) => (left.has(placeOf(request.mutation.schema.name, batchItemOf(request))) ? unprocessed : applied))
  } catch (error) {
    const outcome = outcomeOf(error)
    return outcome.kind === 'failed' ? eachAlone(client, requests, options) : requests.map(() => outcome)
  }
}

/** Writes each one alone, because the server refuses a whole batch if one item of it is invalid. */
async function eachAlone(client: DynamoDBClient, requests: readonly NativeRequest[], options: WriteOptions): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const request of requests)
    outcomes.push(options.cancellation?.isOver === true ? unprocessed : await writeOne(client, request, options))
  return outcomes
}

function batchItemOf(request: NativeRequest): BatchItem {
  if ('put' in request) return { PutRequest: { Item: request.put.Item } }
  return { DeleteRequest: { Key: 'remove' in request ? request.remove.Key : undefined } }
}

function placeOf(table: string, { PutRequest, DeleteRequest }: BatchItem): string {
  const { p, s } = (PutRequest?.Item ?? DeleteRequest?.Key) as Item
  return `${table} ${addressOf(p?.B as Uint8Array, s?.B as Uint8Array)}`
}

/** Applies all mutations or none, by one transaction. */
async function writeAtomic(
  client: DynamoDBClient,
  requests: readonly NativeRequest[],
  token: string,
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  try {
    const TransactItems = requests.map(transactItemOf)
    // A token belongs to one input. What is computed from items may be another the next time.
    const isComputed = requests.some((request) => request.isComputed === true)
    const input = { TransactItems, ClientRequestToken: clientToken(isComputed ? `${token} ${JSON.stringify(TransactItems)}` : token) }
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
    if (isNamed(error, 'UnknownOperationException')) return requests.map(({ mutation }) => failed(lacksTransactions(mutation, error)))
    const outcome = isMissing ? failed(tableNotFound(table)) : outcomeOf(error)
    return requests.map(() => outcome)
  }
}

/** The outcome of a mutation of a canceled transaction. */
async function canceled(
  client: DynamoDBClient,
  request: NativeRequest,
  reason: CancellationReason | undefined,
  cause: unknown,
  options: WriteOptions,
): Promise<Outcome> {
  switch (reason?.Code) {
    case 'ConditionalCheckFailed':
      return request.isComputed === true ? unprocessed : refusalOf(client, request, reason.Item, options)
    case undefined:
    case 'None':
    case 'TransactionConflict':
    case 'ThrottlingError':
    case 'ProvisionedThroughputExceeded':
      return unprocessed
    default:
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

const maxTokenLength = 36

const clientToken = (token: string): string =>
  token.length > 0 && token.length <= maxTokenLength ? token : createHash('sha256').update(token).digest('hex').slice(0, maxTokenLength)
