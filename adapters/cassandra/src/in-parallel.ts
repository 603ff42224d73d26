/** Requests of one call that are on their way at a time; the driver has room for 2,048 per connection. */
const most = 64

/** Results in the order of the items. The first error ends it; what has begun goes on unheard. */
export async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>, width: number = most): Promise<R[]> {
  if (items.length === 1) return [await run(items[0] as T)]
  const results = new Array<R>(items.length)
  let next = 0
  let isOver = false
  const worker = async (): Promise<void> => {
    while (next < items.length && !isOver) {
      const at = next++
      results[at] = await run(items[at] as T)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  } finally {
    isOver = true
  }
  return results
}
