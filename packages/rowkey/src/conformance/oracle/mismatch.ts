// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { Adapter } from '#store/adapter'
import { isRowkeyError } from '#codec'
import { linesOf } from '../check.js'
import { describeCase, type OracleCase } from './case.js'
import { checkCase } from './check-case.js'
import { shrink } from './shrink.js'
import { makeTables, type OracleTables } from './tables.js'

/** A query whose answer differs from its definition. The message contains everything to repeat it. */
export class OracleMismatch extends Error {
  override readonly name = 'OracleMismatch'
  /** The seed of the layout or of the pool. */
  readonly seed: number

  constructor(seed: number, message: string, options?: ErrorOptions) {
    super(linesOf(message), options)
    this.seed = seed
  }
}

/** Where a failing case was found. */
export interface Found {
  readonly adapter: Adapter
  /** The prefix of tables for smaller cases. */
  readonly prefix: string
  readonly seed: number
  /** The call that repeats it. */
  readonly repeat: string
  readonly countWork: boolean
  /** How long the case may be made smaller, in milliseconds; absent: as long as it takes. */
  readonly shrinkMs?: number | undefined
}

/** The error for a failing case, after making the case as small as possible. */
export async function mismatch(found: Found, given: OracleCase, cause: unknown): Promise<OracleMismatch> {
  const failureOf = (smaller: OracleCase): Promise<string | undefined> => failure(found, smaller)
  // A case that does not fail a second time is not made smaller: the adapter fails only sometimes.
  const again = await failureOf(given)
  const { smallest, message } =
    again === undefined
      ? { smallest: given, message: `${messageOf(cause)} (not the second time)` }
      : await shrink(given, again, failureOf, found.shrinkMs)
  const { seed, repeat } = found
  return new OracleMismatch(seed, `seed ${seed}\n${describeCase(smallest)}\n${message}\nrepeat: ${repeat}`, { cause })
}

async function failure({ adapter, prefix, countWork }: Found, given: OracleCase): Promise<string | undefined> {
  let tables: OracleTables | undefined
  try {
    tables = await makeTables(adapter, prefix, given.layout)
    await tables.put(given.rows, given.former)
    await checkCase(given, tables, countWork)
    return undefined
  } catch (error) {
    return isRowkeyError(error) && ['INVALID_PREDICATE', 'INVALID_SCHEMA'].includes(error.code) ? undefined : messageOf(error)
  } finally {
    await ignoringErrors(async () => tables?.drop())
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Cleaning up after a failure must not hide it. */
async function ignoringErrors(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch {
    // the earlier failure is the one to report
  }
}
