import type { Loop } from './loop.js'
import { median } from './statistics.js'

/** Flags of a process that measures allocation: collections on demand, and a young generation that no sample fills. */
export const allocationFlags: readonly string[] = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']

const calls = 2048
const samples = 7

/** Bytes of heap and array buffers per call. A collection in a sample makes it too small, hence the median. */
export async function bytesPerCall(loop: Loop): Promise<number> {
  const nothing = median(await grownBy(() => undefined))
  return Math.max(0, (median(await grownBy(() => loop(calls))) - nothing) / calls)
}

async function grownBy(work: () => void | Promise<void>): Promise<readonly number[]> {
  const grown: number[] = []
  for (let i = 0; i < samples; i++) {
    if (globalThis.gc === undefined) throw new Error(`allocation is measured under ${allocationFlags.join(' ')}`)
    globalThis.gc()
    globalThis.gc() // the buffers that the first one freed are only counted off by the second
    const before = process.memoryUsage()
    await work()
    const after = process.memoryUsage()
    grown.push(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers)
  }
  return grown
}
