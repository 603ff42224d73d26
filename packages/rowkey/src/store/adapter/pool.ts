/**
 * Runs `run` for all items, at most `limit` at a time, and resolves to the results in the order of the items. The first error ends it; the
 * results of calls under way are discarded.
 *
 * @throws what `run` rejects with first
 * @example
 * ```ts
 * const rows = await inParallel(batches, 4, (batch) => client.read(batch))
 * ```
 */
export async function inParallel<T, R>(items: readonly T[], limit: number, run: (item: T) => Promise<R>): Promise<R[]> {
  if (items.length === 1) return [await run(items[0] as T)]
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++
      try {
        results[at] = await run(items[at] as T)
      } catch (error) {
        next = items.length // start no further ones
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
