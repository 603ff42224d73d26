import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Adapter } from '../contract/adapter.js'
import type { Mutation, Outcome, WriteOptions } from '../contract/writing.js'
import { show, values } from '@rowkey/codec'
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
  const where = `the row with key (${keyText(schema, row)}) of '${name}'`
  switch (outcome?.kind) {
    case 'conflict':
      return storeError('ROW_EXISTS', `${where} is there already; nothing was written. Use put() to replace it, or another key.`, { table: name, key })
    case 'missing':
      return storeError('ROW_MISSING', `${where} is not there; nothing was written. Use insert() or put() to create it.`, { table: name, key })
    case 'unknown':
      return storeError('OUTCOME_UNKNOWN', `${kind} of ${where} may or may not have been applied. Read the row to find out before you repeat it.`, { table: name }, { cause: outcome.cause })
    case 'failed':
      return storeError('WRITE_FAILED', `${kind} of ${where} was not applied: ${reasonOf(outcome.cause)}.`, { table: name }, { cause: outcome.cause })
    default:
      return storeError('WRITE_FAILED', `${kind} of ${where} was not applied, the store was too busy. It is safe to repeat it.`, { table: name })
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function keyObject(schema: TableSchema, row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(schema.columns.slice(0, schema.keyLength).map(({ name, type }, i) => [name, values(type, name).fromValue(row[i] ?? null)]))
}

function keyText(schema: TableSchema, row: Row): string {
  return Object.entries(keyObject(schema, row)).map(([name, value]) => `${name} ${show(value)}`).join(', ')
}
