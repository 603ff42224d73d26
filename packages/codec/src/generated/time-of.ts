/** The epoch milliseconds of a Date; NaN for anything else, also for what only looks like one. */
export function timeOf(given: unknown): number {
  try {
    return given instanceof Date ? given.getTime() : NaN
  } catch {
    return NaN
  }
}
