import { isRowkeyError } from '@rowkey/codec'

/**
 * Runs a call; what is refused is a rejection, never a throw. A table that is gone is forgotten: somebody may have dropped it
 * and made it anew.
 */
export async function forgettingLostTable<T>(context: { forget(): void }, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isLost(error)) context.forget()
    throw error
  }
}

/** Of many writes each may say so by itself. */
function isLost(error: unknown): boolean {
  if (isRowkeyError(error, 'TABLE_MISSING')) return true
  if (!isRowkeyError(error, 'WRITE_INCOMPLETE') && !isRowkeyError(error, 'DEADLINE')) return false
  const { outcomes = [] } = error.details as { readonly outcomes?: readonly { readonly cause?: unknown }[] }
  return outcomes.some(({ cause }) => isRowkeyError(cause, 'TABLE_MISSING'))
}
