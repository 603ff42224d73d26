import type { Answer } from '../contract/reading.js'

/** Whether an answer is still to come. */
export function isPromise<T>(answer: Answer<T>): answer is Promise<T> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}
