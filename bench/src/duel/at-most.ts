/** Does the work for each item, for at most `limit` of them at a time. */
export async function atMost<T>(limit: number, items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items].values()
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}
