import { RuleBroken } from '../check.js'

/** The result of a promise; a broken rule if it takes longer than anybody would wait. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new RuleBroken(`${what}: no answer within ${ms} ms`))
    }, ms)
  })
  try {
    return await Promise.race([promise, end])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for what a store does by itself. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

/** Lets timers and I/O run. */
export const turn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0))
