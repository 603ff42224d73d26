import { isRowkeyError, type RowkeyError } from '@rowkey/codec'

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
