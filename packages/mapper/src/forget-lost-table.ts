import { isRowkeyError } from '@rowkey/codec'

/**
 * Runs a call; what is refused is a rejection, never a throw. A table that is gone is forgotten: somebody may have dropped it
 * and made it anew.
 */
export async function forgettingLostTable<T>(context: { forget(): void }, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isRowkeyError(error, 'TABLE_MISSING')) context.forget()
    throw error
  }
}
