import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { applied, appliedTo, failed, heldRow, keyOf, type Outcome, tableNotFound, type WriteOptions } from 'rowkey/adapter'
import { checkedItem } from '../client/answers.js'
import type { NativeRequest } from '../changes.js'
import { DeleteOnce, inRequest, PutOnce, UpdateOnce } from '../client/requests.js'
import { isNamed, isTableGone } from '../errors.js'
import { outcomeOf, refusalOf } from '../outcomes.js'
import type { Item } from '../keys.js'

/** The row is not as it was when the change was computed. Nothing was written. */
const stale: { readonly kind: 'stale' } = Object.freeze({ kind: 'stale' })

type Sent = Outcome | typeof stale

/** Sends a change by a separate call. */
export async function send(request: NativeRequest, options: WriteOptions): Promise<Sent> {
  const { mutation, table } = request
  const { client, form, format } = table
  const { schema, row } = mutation
  const returns = mutation.kind === 'update' && mutation.returns === true
  try {
    const answer = await inRequest<{ readonly Attributes?: Item | undefined }>(options, (how) => {
      if ('put' in request) return client.send(new PutOnce(request.put as never), how)
      if ('remove' in request) return client.send(new DeleteOnce(request.remove as never), how)
      return client.send(new UpdateOnce({ ...request.update, ...(returns ? { ReturnValues: 'ALL_NEW' } : {}) } as never), how)
    })
    if (!returns || !('update' in request) || answer.Attributes === undefined) return applied
    const item = checkedItem(schema.name, form, answer.Attributes, format.keyToWrite(keyOf(mutation)))
    return appliedTo(heldRow(() => format.rowOf(row, item, format.reader())))
  } catch (error) {
    if (isNamed(error, 'ConditionalCheckFailedException')) {
      if (request.isComputed === true) return stale
      return refusalOf(request, (error as ConditionalCheckFailedException).Item, options)
    }
    if (isTableGone(error)) return failed(tableNotFound(schema.name))
    return outcomeOf(error)
  }
}
