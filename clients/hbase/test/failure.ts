import { HBaseError } from '../src/index.js'

/** The error with which a call ends. @throws Error if it does not */
export async function failureOf(call: Promise<unknown>): Promise<HBaseError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof HBaseError) return error
  throw new Error(`it ended with ${String(error)} instead of an HBaseError`)
}

/** Resolves when something holds. A test that waits for what never happens ends by its time limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
