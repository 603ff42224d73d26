// Tested by batches.test.ts.
import type { DynamoDBClient, WriteRequest as BatchItem } from '@aws-sdk/client-dynamodb'
import {
  applied,
  appliedTo,
  failed,
  failedBy,
  inParallel,
  isRowkeyError,
  keyOf,
  type Mutation,
  type Outcome,
  tableNotFound,
  type TableSchema,
  unknown,
  unprocessed,
  type WriteOptions,
} from 'rowkey/adapter'
import { isList, isMap, keyIn } from './client/answers.js'
import { requestOf, type NativeRequest } from './changes.js'
import type { TableContext } from './context.js'
import { BatchWriteOnce, inRequest } from './client/requests.js'
import { badAnswer, isAccess, isTableGone } from './errors.js'
import { addressOf } from './keys.js'
import { hasLongAmounts, isJudged, judgedRequest } from './writes/judged.js'
import { outcomeOf } from './outcomes.js'
import { send } from './writes/send.js'
import { withoutTransactions, writeAtomic } from './writes/transaction.js'

const callsAtOnce = 16

/** How writes are sent. */
export interface WriteContext {
  readonly client: DynamoDBClient
  readonly transactions: boolean
  tableOf(schema: TableSchema): TableContext
}

/** Applies mutations: each one with a condition by a separate call, up to 25 others by one call. */
export async function write(context: WriteContext, batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
  const prepared = batch.map((mutation) => prepare(context, mutation, options.now))
  return options.atomic !== undefined && batch.length > 1
    ? sendAll(context, prepared, options.atomic, options)
    : sendEach(context, prepared, options)
}

/** Encodes a mutation. If it is invalid, that is its outcome, and the others are not affected. */
function prepare({ tableOf }: WriteContext, mutation: Mutation, now: number): NativeRequest | Outcome {
  try {
    return requestOf(mutation, tableOf(mutation.schema), now)
  } catch (cause) {
    return failedBy(cause)
  }
}

const isRequest = (one: NativeRequest | Outcome): one is NativeRequest => 'table' in one

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
  const single = (place: number): Call => ({ places: [place], run: async () => [await writeOne(requestAt(place), options)] })
  const calls: Call[] = alone.map(single)
  for (let at = 0; at < together.length; at += maxInBatch) {
    const places = together.slice(at, at + maxInBatch)
    if (places.length === 1) calls.push(single(places[0] as number))
    else calls.push({ places, run: () => writeBatch(client, places.map(requestAt), options) })
  }
  const gone = new GoneTables()
  await inParallel(calls, callsAtOnce, async (call) => {
    if (options.cancellation?.isOver === true) return // it stays unprocessed
    const requests = call.places.map(requestAt)
    const given = gone.outcomesOf(requests) ?? (await call.run())
    gone.note(requests, given)
    call.places.forEach((place, i) => (outcomes[place] = given[i] as Outcome))
  })
  return outcomes
}

/** The tables that a batch has found missing. Nothing more is sent to them. */
class GoneTables {
  private readonly errors = new Map<string, Outcome>()

  note(requests: readonly NativeRequest[], outcomes: readonly Outcome[]): void {
    outcomes.forEach((outcome, i) => {
      if (outcome.kind === 'failed' && isRowkeyError(outcome.cause, 'TABLE_NOT_FOUND')) this.errors.set(nameOf(requests[i]), outcome)
    })
  }

  /** The outcomes of requests that all are to such tables. */
  outcomesOf(requests: readonly NativeRequest[]): readonly Outcome[] | undefined {
    if (this.errors.size === 0) return undefined
    const outcomes = requests.flatMap((request) => this.errors.get(nameOf(request)) ?? [])
    return outcomes.length === requests.length ? outcomes : undefined
  }
}

const nameOf = (request: NativeRequest | undefined): string => request?.mutation.schema.name ?? ''

async function sendAll(
  { client, transactions }: WriteContext,
  prepared: readonly (NativeRequest | Outcome)[],
  token: string,
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  if (!transactions) {
    const outcome = withoutTransactions(prepared.length)
    return prepared.map(() => outcome)
  }
  const known = await Promise.all(
    prepared.map(async (one) => (isRequest(one) && isJudged(one) ? judgedRequest(one.table, one.mutation, options) : one)),
  )
  const requests = known.filter(isRequest)
  if (requests.length < known.length) return known.map((one) => (isRequest(one) ? unprocessed : one))
  return options.cancellation?.isOver === true ? prepared.map(() => unprocessed) : writeAtomic(client, requests, token, options)
}

/** Applies one mutation by a separate call. */
async function writeOne(request: NativeRequest, options: WriteOptions): Promise<Outcome> {
  const { mutation, table } = request
  if (mutation.conditions !== undefined || ('update' in request && !isNative(request))) return writeJudged(table, mutation, options)
  const outcome = await send(request, options)
  if (outcome.kind === 'stale') return unprocessed
  if (outcome.kind !== 'missing' || mutation.kind !== 'update' || mutation.create === undefined) return outcome
  return writeJudged(table, mutation, options) // usually the row exists
}

/** Whether a server can apply an update. Compatible servers fail if it has no expression, because it changes nothing. */
function isNative({ mutation, update, isTooLarge }: Extract<NativeRequest, { update: unknown }>): boolean {
  return update.UpdateExpression !== undefined && isTooLarge !== true && !(mutation.kind === 'update' && hasLongAmounts(mutation))
}

/** How often a change is computed again because another write has changed the row. */
const maxLooks = 10

/** A change that is computed from the existing item, and written if what it was computed from is still the same. */
async function writeJudged(table: TableContext, mutation: Mutation, options: WriteOptions): Promise<Outcome> {
  const isOver = (): boolean => options.cancellation?.isOver === true
  for (let look = 0; look < maxLooks && !isOver(); look++) {
    const judged = await judgedRequest(table, mutation, options)
    if (!isRequest(judged)) return judged
    if (judged.unchanged !== undefined)
      return mutation.kind === 'update' && mutation.returns === true ? appliedTo(judged.unchanged) : applied
    if (isOver()) break // while the item was read
    const outcome = await send(judged, options)
    if (outcome.kind !== 'stale') return withCreated(outcome, mutation, judged)
  }
  return unprocessed
}

/** A put does not return its item. */
function withCreated(outcome: Outcome, asked: Mutation, { mutation: { row, kind } }: NativeRequest): Outcome {
  const returns = asked.kind === 'update' && asked.returns === true
  return returns && outcome.kind === 'applied' && kind !== 'update' ? appliedTo(row) : outcome
}

/** Max items of one BatchWriteItem. So many of the largest rows stay below its limit of 16 MB. */
const maxInBatch = 25

/** Applies unconditional puts and deletes of any tables by one call. */
async function writeBatch(client: DynamoDBClient, requests: readonly NativeRequest[], options: WriteOptions): Promise<readonly Outcome[]> {
  const byTable = Object.create(null) as Record<string, BatchItem[]> // a table may be called constructor
  for (const request of requests) (byTable[request.mutation.schema.name] ??= []).push(batchItemOf(request))
  try {
    const { UnprocessedItems } = await inRequest(options, (how) => client.send(new BatchWriteOnce({ RequestItems: byTable }), how))
    const left = unprocessedIn(UnprocessedItems, requests)
    if (left === undefined) {
      const cause = badAnswer(nameOf(requests[0]), 'a batch that does not say what was written')
      return requests.map(() => unknown(cause))
    }
    return requests.map((request) => (left.size > 0 && left.has(placeOf(request)) ? unprocessed : applied))
  } catch (error) {
    const outcome = outcomeOf(error)
    if (outcome.kind !== 'failed') return requests.map(() => outcome)
    const isOneTable = Object.keys(byTable).length === 1
    if (isOneTable && isTableGone(error)) return requests.map((request) => failed(tableNotFound(nameOf(request))))
    if (isOneTable && isAccess(error)) return requests.map(() => outcome)
    return eachAlone(requests, options)
  }
}

/** Where the items are that were not written, all of which are of the batch. undefined for anything else. */
function unprocessedIn(given: unknown, requests: readonly NativeRequest[]): ReadonlySet<string> | undefined {
  if (!isMap(given)) return undefined
  const left = new Set<string>()
  const tables = Object.entries(given) as [string, unknown][]
  if (tables.length === 0) return left // most batches
  const places = new Set(requests.map(placeOf))
  const forms = new Map(requests.map((request) => [nameOf(request), request.table.form]))
  for (const [table, items] of tables) {
    const form = forms.get(table)
    if (!isList(items)) return undefined
    for (const item of items) {
      const { PutRequest, DeleteRequest } = isMap(item) ? (item as BatchItem) : {}
      const key = form === undefined ? undefined : keyIn(form, PutRequest?.Item ?? DeleteRequest?.Key)
      const place = key === undefined ? '' : `${table} ${addressOf(key)}`
      if (!places.has(place)) return undefined
      left.add(place)
    }
  }
  return left
}

/** Writes each one alone, because the server refuses a whole batch if one item of it is invalid. */
async function eachAlone(requests: readonly NativeRequest[], options: WriteOptions): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const gone = new GoneTables()
  for (const request of requests) {
    const isOver = options.cancellation?.isOver === true
    const given = isOver ? [unprocessed] : (gone.outcomesOf([request]) ?? [await writeOne(request, options)])
    gone.note([request], given)
    outcomes.push(...given)
  }
  return outcomes
}

function batchItemOf(request: NativeRequest): BatchItem {
  if ('put' in request) return { PutRequest: { Item: request.put.Item } }
  return { DeleteRequest: { Key: 'remove' in request ? request.remove.Key : undefined } }
}

function placeOf(request: NativeRequest): string {
  return `${nameOf(request)} ${addressOf(request.table.format.keyToWrite(keyOf(request.mutation)))}`
}
