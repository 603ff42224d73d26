import { isRowkeyError } from 'rowkey'

/** The code of the refusal, or what was given instead. */
export async function codeOf(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return isRowkeyError(error) ? error.code : error
  }
}
