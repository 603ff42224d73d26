import type { DynamoDBClient, WriteRequest } from '@aws-sdk/client-dynamodb'
import type { Outcome, WriteOptions } from '@rowkey/store'
import { addressOf } from './gets.js'
import { inRequest } from './in-request.js'
import type { Item } from './item-format.js'
import { outcomeOf } from './outcome-of-error.js'
import { applied, unprocessed } from './refusal.js'
import type { Request } from './request.js'
import { BatchWriteOnce } from './send-once.js'
import { writeOne } from './write-one.js'

/** What one BatchWriteItem takes; so many of the largest rows stay below its 16 MB. */
export const mostInBatch = 25

/** Applies unconditional puts and deletes of any tables by one call. */
export async function writeBatch(client: DynamoDBClient, requests: readonly Request[], options: WriteOptions): Promise<readonly Outcome[]> {
  const byTable = Object.create(null) as Record<string, WriteRequest[]> // a table may be called constructor
  for (const request of requests) (byTable[request.mutation.schema.name] ??= []).push(nativeOf(request))
  try {
    const { UnprocessedItems } = await inRequest(options, (how) => client.send(new BatchWriteOnce({ RequestItems: byTable }), how))
    const left = new Set(Object.entries(UnprocessedItems ?? {}).flatMap(([table, list]) => list.map((one) => placeOf(table, one))))
    return requests.map((request) => (left.has(placeOf(request.mutation.schema.name, nativeOf(request))) ? unprocessed : applied))
  } catch (error) {
    const outcome = outcomeOf(error)
    return outcome.kind === 'failed' ? eachAlone(client, requests, options) : requests.map(() => outcome)
  }
}

/** A batch is refused as a whole for what is wrong with one of it. */
async function eachAlone(client: DynamoDBClient, requests: readonly Request[], options: WriteOptions): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const request of requests)
    outcomes.push(options.cancellation?.isOver === true ? unprocessed : await writeOne(client, request, options))
  return outcomes
}

function nativeOf(request: Request): WriteRequest {
  if ('put' in request) return { PutRequest: { Item: request.put.Item } }
  return { DeleteRequest: { Key: 'remove' in request ? request.remove.Key : undefined } }
}

function placeOf(table: string, { PutRequest, DeleteRequest }: WriteRequest): string {
  const { p, s } = (PutRequest?.Item ?? DeleteRequest?.Key) as Item
  return `${table} ${addressOf(p?.B as Uint8Array, s?.B as Uint8Array)}`
}
