/**
 * Runs for all items, so many at a time, and gives the results in their order. The first error ends it; what has begun goes on unheard.
 *
 * @throws what `run` rejects with first
 * @example
 * ```ts
 * const rows = await inParallel(batches, 4, (batch) => client.read(batch))
 * ```
 */
export async function inParallel<T, R>(items: readonly T[], atOnce: number, run: (item: T) => Promise<R>): Promise<R[]> {
  if (items.length === 1) return [await run(items[0] as T)]
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++
      try {
        results[at] = await run(items[at] as T)
      } catch (error) {
        next = items.length // nobody waits for the others any more
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
