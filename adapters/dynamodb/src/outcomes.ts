// Tested by lost-answers.test.ts.
import {
  conflict,
  dependsOnValues,
  failed,
  isExpired,
  isRowkeyError,
  judge,
  keyOf,
  missing,
  type Outcome,
  type Row,
  unknown,
  unmetPrecondition,
  unprocessed,
  type WriteOptions,
} from 'rowkey/adapter'
import type { NativeRequest } from './changes.js'
import { isNotProcessed, isOpen, OpenOutcome } from './errors.js'
import { checkedItem } from './client/answers.js'
import { currentItem } from './get.js'
import type { Item } from './keys.js'

/** The outcome of a write that failed for another reason than its condition. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof OpenOutcome) return unknown(error.first)
  if (isOpen(error)) return unknown(error)
  if (isNotProcessed(error)) return unprocessed
  return failed(error)
}

/** The outcome of a mutation whose row could not be read. Nothing was written, so it is never unknown. */
export function failedRead(cause: unknown): Outcome {
  if (isRowkeyError(cause)) return cause.code === 'STORE_UNAVAILABLE' ? unprocessed : failed(cause)
  return isNotProcessed(cause) || isOpen(cause) ? unprocessed : failed(cause)
}

/**
 * The outcome of a mutation whose condition failed.
 *
 * @param given the existing item, if there is one and the server returns it
 */
export async function refusalOf({ mutation, table }: NativeRequest, given: Item | undefined, options: WriteOptions): Promise<Outcome> {
  const { form, format } = table
  const { kind, version, row, schema } = mutation
  try {
    if (given === undefined && kind === 'insert') return conflict()
    if (given === undefined && version === undefined && !dependsOnValues(mutation)) return missing
    // A server that does not return the item leaves open whether the row is missing or has another version.
    const item =
      given === undefined
        ? await currentItem(table, mutation, options)
        : checkedItem(schema.name, form, given, format.keyToWrite(keyOf(mutation)))
    if (item === undefined) return missing
    const whole = (): Row => format.rowOf(row, item, format.reader())
    const isJudged = dependsOnValues(mutation)
    const own = [schema.expiryIndex, schema.versionIndex].filter((at) => at >= 0)
    const current = isJudged ? whole() : format.rowOf(row, item, format.reader(own))
    if (isExpired(schema, current, options.now)) return kind === 'insert' ? unprocessed : missing
    if (isJudged) {
      const verdict = judge(mutation, current)
      return verdict.kind === 'outcome' ? verdict.outcome : unprocessed // it has changed since
    }
    // The row got this version after the write. That is only visible if the server did not return the item, so that it was read later.
    return unmetPrecondition(mutation, true, current[schema.versionIndex], whole) ?? unprocessed
  } catch (cause) {
    return options.cancellation?.isOver === true ? unprocessed : failedRead(cause)
  }
}
