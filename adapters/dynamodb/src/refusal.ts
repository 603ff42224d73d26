import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { isExpired, isRowkeyError, type Outcome, type WriteOptions } from '@rowkey/store'
import { getItem } from './gets.js'
import type { Item } from './item-format.js'
import type { Request } from './request.js'

export const applied: Outcome = Object.freeze({ kind: 'applied' })
const missing: Outcome = Object.freeze({ kind: 'missing' })
export const unprocessed: Outcome = Object.freeze({ kind: 'unprocessed' })

/**
 * What a condition that failed means.
 *
 * @param given the item as the server found it, if there was one and the server tells
 */
export async function refusalOf(
  client: DynamoDBClient,
  request: Request,
  given: Item | undefined,
  options: WriteOptions,
): Promise<Outcome> {
  const { mutation, format } = request
  const { kind, version, row, schema } = mutation
  try {
    if (given === undefined && kind === 'insert') return { kind: 'conflict' }
    if (given === undefined && version === undefined) return missing
    const item = given ?? (await currentItem(client, request, options))
    if (item === undefined) return missing
    const current = format.rowOf(row, item, format.wholeReader)
    if (isExpired(schema, current, options.now)) return kind === 'insert' ? unprocessed : missing
    // It came to be meanwhile, which only a server that does not tell lets us see.
    if (kind !== 'insert' && current[schema.versionAt] === version) return unprocessed
    return { kind: 'conflict', current }
  } catch (cause) {
    // The condition did not hold, so nothing was applied. A row that cannot be read will not be readable the next time.
    return isRowkeyError(cause) ? { kind: 'failed', cause } : unprocessed
  }
}

/** For servers that do not tell: absent and of another version look the same. */
function currentItem(client: DynamoDBClient, { mutation, format }: Request, options: WriteOptions): Promise<Item | undefined> {
  const read = { ...options, consistency: 'strong' as const }
  return getItem({ client, format, reader: format.wholeReader, options: read }, format.keyToWrite(mutation.row))
}
