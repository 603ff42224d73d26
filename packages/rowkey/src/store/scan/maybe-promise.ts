import type { MaybePromise } from '../contract/reading.js'

/** Whether an answer is still pending. */
export function isPromise<T>(answer: MaybePromise<T>): answer is Promise<T> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}

/**
 * Calls `use` with an answer: immediately if the answer is available, so that synchronous stores cost no promise.
 *
 * @throws what `use` throws, if the answer is available
 * @example
 * ```ts
 * andThen(store.get(keys, options), (rows) => rows[0])
 * ```
 */
export function andThen<T, R>(answer: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(answer) ? answer.then(use) : use(answer)
}
