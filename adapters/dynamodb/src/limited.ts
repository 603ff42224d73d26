/** Runs jobs, so many at a time, and gives their results in order. The first that fails ends the rest. */
export async function limited<T>(jobs: readonly (() => Promise<T>)[], atOnce: number): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < jobs.length) {
      const at = next++
      try {
        results[at] = await (jobs[at] as () => Promise<T>)()
      } catch (error) {
        next = jobs.length // nobody waits for the others any more
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, worker))
  return results
}
