import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Adapter } from '../contract/adapter.js'
import type { Mutation, Outcome, WriteOptions } from '../contract/writing.js'
import { isRowkeyError, show, values } from '@rowkey/codec'
import { storeError } from '../errors.js'

/**
 * Applies one mutation or says why not.
 *
 * @throws RowkeyError `ROW_EXISTS` (insert), `ROW_MISSING` (update), `WRITE_FAILED` (surely not applied), `OUTCOME_UNKNOWN`
 */
export async function writeOne(adapter: Adapter, mutation: Mutation, options: WriteOptions): Promise<void> {
  const [outcome] = await adapter.write([mutation], options)
  if (outcome?.kind === 'applied') return
  throw outcomeError(mutation, outcome)
}

/** The error that an outcome other than 'applied' stands for. */
function outcomeError({ schema, row, kind }: Mutation, outcome: Outcome | undefined): Error {
  const { name } = schema
  const key = keyObject(schema, row)
  const where = `the row with key (${keyText(key)}) of '${name}'`
  if (outcome === undefined) return unknown(undefined)
  switch (outcome.kind) {
    case 'conflict':
      return storeError('ROW_EXISTS', `${where} is there already; nothing was written. Use put() to replace it, or another key.`, {
        table: name,
        key,
      })
    case 'missing':
      return storeError('ROW_MISSING', `${where} is not there; nothing was written. Use insert() or put() to create it.`, {
        table: name,
        key,
      })
    case 'unknown':
      return unknown(outcome.cause)
    case 'failed':
      if (isRowkeyError(outcome.cause)) return outcome.cause // such as TABLE_MISSING: the same error as a read gives
      return failed(false, `: ${reasonOf(outcome.cause)}. Repeating it would fail again; mend the cause first.`, causedBy(outcome.cause))
    default:
      return failed(true, ', the store did not get to it. It is safe to repeat it.', {})
  }

  function unknown(cause: unknown): Error {
    const message = `${kind} of ${where} may or may not have been applied. Read the row to find out before you repeat it.`
    return storeError('OUTCOME_UNKNOWN', message, { table: name, key }, causedBy(cause))
  }

  function failed(repeatable: boolean, why: string, options: ErrorOptions): Error {
    return storeError('WRITE_FAILED', `${kind} of ${where} was not applied${why}`, { table: name, key, repeatable }, options)
  }
}

const causedBy = (cause: unknown): ErrorOptions => (cause === undefined ? {} : { cause })

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
}

/** The key as an application sees it; bytes are copies, the row may be in the store by now. */
function keyObject(schema: TableSchema, row: Row): Readonly<Record<string, unknown>> {
  const entries = schema.columns.slice(0, schema.keyLength).map(({ name, type }, i) => {
    const value = row[i] ?? null
    return [name, value instanceof Uint8Array ? new Uint8Array(value) : values(type, name).fromValue(value)] as const
  })
  return Object.fromEntries(entries)
}

function keyText(key: Readonly<Record<string, unknown>>): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} ${show(value)}`)
    .join(', ')
}
