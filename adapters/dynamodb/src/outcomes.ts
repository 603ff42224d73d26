import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { conflict, failed, isExpired, isRowkeyError, keyOf, missing, unknown, unprocessed } from '@rowkey/store/adapter'
import type { Outcome, WriteOptions } from '@rowkey/store/adapter'
import type { NativeRequest } from './changes.js'
import { isNotProcessed, isOpen, OpenOutcome } from './errors.js'
import { getItem } from './get.js'
import type { Item } from './rows.js'

/** What became of a write that failed, its condition apart. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof OpenOutcome) return unknown(error.first)
  if (isOpen(error)) return unknown(error)
  if (isNotProcessed(error)) return unprocessed
  return failed(error)
}

/**
 * What a condition that failed means.
 *
 * @param given the item as the server found it, if there was one and the server tells
 */
export async function refusalOf(
  client: DynamoDBClient,
  request: NativeRequest,
  given: Item | undefined,
  options: WriteOptions,
): Promise<Outcome> {
  const { mutation, format } = request
  const { kind, version, row, schema } = mutation
  try {
    if (given === undefined && kind === 'insert') return conflict()
    if (given === undefined && version === undefined) return missing
    const item = given ?? (await currentItem(client, request, options))
    if (item === undefined) return missing
    const current = format.rowOf(row, item, format.reader())
    if (isExpired(schema, current, options.now)) return kind === 'insert' ? unprocessed : missing
    // It came to be meanwhile, which only a server that does not tell lets us see.
    if (kind !== 'insert' && current[schema.versionIndex] === version) return unprocessed
    return conflict(current)
  } catch (cause) {
    // The condition did not hold, so nothing was applied. A row that cannot be read will not be readable the next time.
    return isRowkeyError(cause) ? failed(cause) : unprocessed
  }
}

/** For servers that do not tell: absent and of another version look the same. */
function currentItem(client: DynamoDBClient, { mutation, format }: NativeRequest, options: WriteOptions): Promise<Item | undefined> {
  const read = { ...options, consistency: 'strong' as const }
  return getItem({ client, format, reader: format.reader(), options: read }, format.keyToWrite(keyOf(mutation)))
}
