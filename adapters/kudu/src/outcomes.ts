// Tested by errors.test.ts and faults.test.ts.
import type { KuduErrorCode } from '@rowkey/kudu-client'
import {
  applied,
  conflict,
  failed,
  isRowkeyError,
  missing,
  storeUnavailable,
  unknown,
  unprocessed,
  values,
  type Mutation,
  type Outcome,
  type Value,
} from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { errorOf, isKudu, noPartition } from './errors.js'
import { name } from './options.js'

/** The outcome of one operation of a request, by the error that the client has for it. */
export function outcomeOf(mutation: Mutation, error: unknown): Outcome {
  if (error === undefined) return applied
  if (isKudu(error, 'ALREADY_PRESENT') && mutation.kind === 'insert') return conflict()
  if (isKudu(error, 'NOT_FOUND') && !isTableError(error) && mutation.kind === 'update') return missing
  if (isKudu(error, 'NO_PARTITION')) return withoutRange(mutation, error)
  return outcomeOfThrown(error)
}

/** Where there is no range there is no row: only a write that would make one has to be refused. */
function withoutRange(mutation: Mutation, error: unknown): Outcome {
  if (mutation.kind === 'delete') return applied
  return mutation.kind === 'update' && mutation.create === undefined
    ? missing
    : failed(noPartition(mutation.schema.name, shownKey(mutation), error))
}

const shownKey = ({ schema, row }: Mutation): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    schema.columns.slice(0, schema.keyLength).map(({ name: column, type }, i) => [column, values(type, column).fromValue(row[i] as Value)]),
  )

/** Whether the error is about the table, a tablet or a column that may be gone, and not about the row. Nothing was done. */
export const isTableError = (error: unknown): boolean =>
  (isKudu(error, 'NOT_FOUND') && error.status !== 'NOT_FOUND') ||
  (isKudu(error, 'SERVER') && !error.isSent && (error.status === 'MISMATCHED_SCHEMA' || error.status === 'INVALID_SCAN_SPEC'))

/** What a repetition meets again. */
const lasting: ReadonlySet<KuduErrorCode> = new Set(['INVALID_ARGUMENT', 'CLOSED', 'NO_PARTITION', 'NOT_AUTHORIZED'])

/** The outcome of operations for which the client threw an error. */
export function outcomeOfThrown(error: unknown): Outcome {
  if (isRowkeyError(error)) return error.code === 'STORE_UNAVAILABLE' ? unprocessed : failed(error)
  if (!isKudu(error)) throw error
  if (error.isSent) return unknown(error) // also if the last attempt was refused: an earlier one may have been executed
  return lasting.has(error.code) ? failed(error) : unprocessed
}

/**
 * Runs a read of a table. A table that was dropped, and perhaps created again, has none of the tablets that were known, and may lack columns.
 *
 * @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH`, `STORE_UNAVAILABLE`, `STORE_REFUSED`, `ADAPTER_FAULT`
 */
export async function onTable<T>(table: TableContext, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const { name: schema } = table.schema
    if (!isTableError(error) && !isKudu(error, 'NOT_FOUND')) throw errorOf(schema, error)
    throw (await table.whyGone()) ?? storeUnavailable(name, 'refused', error)
  }
}
