import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  conflict,
  dependsOnValues,
  failed,
  isExpired,
  judge,
  isRowkeyError,
  keyOf,
  missing,
  unknown,
  unprocessed,
} from '@rowkey/store/adapter'
import type { Outcome, WriteOptions } from '@rowkey/store/adapter'
import type { NativeRequest } from './changes.js'
import { isNotProcessed, isOpen, OpenOutcome } from './errors.js'
import { getItem } from './get.js'
import type { Item } from './rows.js'

/** The outcome of a write that failed for another reason than its condition. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof OpenOutcome) return unknown(error.first)
  if (isOpen(error)) return unknown(error)
  if (isNotProcessed(error)) return unprocessed
  return failed(error)
}

/**
 * The outcome of a mutation whose condition failed.
 *
 * @param given the existing item, if there is one and the server returns it
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
    if (given === undefined && version === undefined && !dependsOnValues(mutation)) return missing
    const item = given ?? (await currentItem(client, request, options))
    if (item === undefined) return missing
    const current = format.rowOf(row, item, format.reader())
    if (isExpired(schema, current, options.now)) return kind === 'insert' ? unprocessed : missing
    if (dependsOnValues(mutation)) {
      const verdict = judge(mutation, current)
      return verdict.kind === 'outcome' ? verdict.outcome : unprocessed // it has changed since
    }
    // The row got this version after the write. That is only visible if the server did not return the item, so that it was read later.
    if (kind !== 'insert' && current[schema.versionIndex] === version) return unprocessed
    return conflict(current)
  } catch (cause) {
    // The condition did not hold, so nothing was applied. A row that cannot be read will not be readable the next time.
    return isRowkeyError(cause) ? failed(cause) : unprocessed
  }
}

/** For servers that do not return the item: without it, a missing row and a row of another version look the same. */
function currentItem(client: DynamoDBClient, { mutation, format }: NativeRequest, options: WriteOptions): Promise<Item | undefined> {
  const read = { ...options, consistency: 'strong' as const }
  return getItem({ client, format, reader: format.reader(), options: read }, format.keyToWrite(keyOf(mutation)))
}
