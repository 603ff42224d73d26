import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { inParallel, isRowkeyError, RowkeyError, type Mutation, type Outcome, type TableSchema, type WriteOptions } from '@rowkey/store'
import type { ItemFormat } from './item-format.js'
import { unprocessed } from './refusal.js'
import { requestOf, type Request } from './request.js'
import { writeAtomic } from './write-atomic.js'
import { mostInBatch, writeBatch } from './write-batch.js'
import { writeOne } from './write-one.js'

const callsAtOnce = 16

/** How writes are sent. */
export interface Writing {
  readonly client: DynamoDBClient
  readonly transactions: boolean
  formatOf(schema: TableSchema): ItemFormat
}

/** Applies mutations: those with a condition each by a call of its own, all others 25 by a call. */
export async function write(writing: Writing, batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
  const prepared = batch.map((mutation) => prepare(writing, mutation, options.now))
  return options.atomic !== undefined && batch.length > 1
    ? sendAll(writing, prepared, options.atomic, options)
    : sendEach(writing, prepared, options)
}

/** What is wrong with a mutation is its own outcome. */
function prepare({ formatOf }: Writing, mutation: Mutation, now: number): Request | Outcome {
  try {
    return requestOf(mutation, formatOf(mutation.schema), now)
  } catch (cause) {
    if (!isRowkeyError(cause)) throw cause
    return { kind: 'failed', cause }
  }
}

const isRequest = (one: Request | Outcome): one is Request => 'format' in one

/** One call, with what becomes of the mutations at these places. */
interface Call {
  readonly places: readonly number[]
  run(): Promise<readonly Outcome[]>
}

async function sendEach({ client }: Writing, prepared: readonly (Request | Outcome)[], options: WriteOptions): Promise<readonly Outcome[]> {
  const outcomes = prepared.map((one) => (isRequest(one) ? unprocessed : one))
  const alone: number[] = []
  const together: number[] = []
  prepared.forEach((one, i) => {
    if (isRequest(one)) (one.isConditional ? alone : together).push(i)
  })
  const requestAt = (place: number): Request => prepared[place] as Request
  const single = (place: number): Call => ({ places: [place], run: async () => [await writeOne(client, requestAt(place), options)] })
  const calls: Call[] = alone.map(single)
  for (let at = 0; at < together.length; at += mostInBatch) {
    const places = together.slice(at, at + mostInBatch)
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
  { client, transactions }: Writing,
  prepared: readonly (Request | Outcome)[],
  token: string,
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  if (!transactions) {
    const cause = atomicScope(prepared.length)
    return prepared.map(() => ({ kind: 'failed', cause }))
  }
  const requests = prepared.filter(isRequest)
  if (requests.length < prepared.length) return prepared.map((one) => (isRequest(one) ? unprocessed : one))
  return options.cancellation?.isOver === true ? prepared.map(() => unprocessed) : writeAtomic(client, requests, token, options)
}

/** The core refuses it already. */
function atomicScope(writes: number): RowkeyError<'ATOMIC_SCOPE'> {
  const details = { adapter: 'dynamodb', scope: 'row', max: 1, writes }
  return new RowkeyError(
    'ATOMIC_SCOPE',
    `dynamodb() was made with transactions: false, so it cannot apply ${writes} writes at once.`,
    details,
  )
}
