import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Outcome, WriteOptions } from '@rowkey/store'
import { isNamed, tableMissing } from './errors.js'
import { inRequest } from './in-request.js'
import { outcomeOf } from './outcome-of-error.js'
import { applied, refusalOf } from './refusal.js'
import type { Request } from './request.js'
import { DeleteOnce, PutOnce, UpdateOnce } from './send-once.js'

/** Applies one mutation by a call of its own. */
export async function writeOne(client: DynamoDBClient, request: Request, options: WriteOptions): Promise<Outcome> {
  try {
    await inRequest<unknown>(options, (how) => {
      if ('put' in request) return client.send(new PutOnce(request.put as never), how)
      if ('remove' in request) return client.send(new DeleteOnce(request.remove as never), how)
      return client.send(new UpdateOnce(request.update as never), how)
    })
    return applied
  } catch (error) {
    if (isNamed(error, 'ConditionalCheckFailedException')) {
      return refusalOf(client, request, (error as ConditionalCheckFailedException).Item, options)
    }
    if (isNamed(error, 'ResourceNotFoundException')) return { kind: 'failed', cause: tableMissing(request.mutation.schema.name) }
    return outcomeOf(error)
  }
}
