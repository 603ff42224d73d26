import { isRowkeyError, type RowkeyError } from 'rowkey/codec'

/** The error of rowkey that a call is refused with; anything else fails the test. */
export async function refusalOf(run: () => unknown): Promise<RowkeyError> {
  try {
    await run()
  } catch (error) {
    if (isRowkeyError(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** The code a call is refused with. */
export async function codeOf(run: () => unknown): Promise<string> {
  return (await refusalOf(run)).code
}

/** In what the query that a cursor was given to differs from its own. */
export async function differs(run: () => unknown): Promise<unknown> {
  const error = await refusalOf(run)
  if (!isRowkeyError(error, 'CURSOR_MISMATCH')) throw error
  return error.details['differs']
}
