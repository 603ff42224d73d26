import type { Adapter } from '@rowkey/store'
import { isRowkeyError } from '@rowkey/codec'
import { describeCase, type OracleCase } from './case.js'
import { checkCase } from './check-case.js'
import { shrink } from './shrink.js'
import { makeTables, type OracleTables } from './tables.js'

/** A query that a store answers with something else than its definition. The message has all that repeats it. */
export class OracleMismatch extends Error {
  override readonly name = 'OracleMismatch'
  /** Of the layout, or of the pool. */
  readonly seed: number

  constructor(seed: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.seed = seed
  }
}

/** Where a failing case was met. */
export interface Found {
  readonly adapter: Adapter
  /** Of tables for smaller cases. */
  readonly prefix: string
  readonly seed: number
  /** The call that meets it again. */
  readonly repeat: string
  readonly countWork: boolean
}

/** The error for a case that fails, made as small as it gets. */
export async function mismatch(found: Found, given: OracleCase, cause: unknown): Promise<OracleMismatch> {
  const failureOf = (smaller: OracleCase): Promise<string | undefined> => failure(found, smaller)
  // What does not fail a second time is not made smaller: an adapter that sometimes fails.
  const again = await failureOf(given)
  const { smallest, message } =
    again === undefined ? { smallest: given, message: `${messageOf(cause)} (not the second time)` } : await shrink(given, again, failureOf)
  const { seed, repeat } = found
  return new OracleMismatch(seed, `seed ${seed}\n${describeCase(smallest)}\n${message}\nrepeat: ${repeat}`, { cause })
}

async function failure({ adapter, prefix, countWork }: Found, given: OracleCase): Promise<string | undefined> {
  let tables: OracleTables | undefined
  try {
    tables = await makeTables(adapter, prefix, given.layout)
    await tables.put(given.rows)
    await checkCase(given, tables, countWork)
    return undefined
  } catch (error) {
    return isRowkeyError(error) && error.code === 'INVALID_PREDICATE' ? undefined : messageOf(error)
  } finally {
    await ignoringErrors(async () => tables?.drop())
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Tidying up after a failure must not hide it. */
async function ignoringErrors(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch {
    // the failure before it is what counts
  }
}
