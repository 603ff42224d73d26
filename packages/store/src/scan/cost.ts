import type { Cost } from '../contract/reading.js'

/** What a round of requests found and cost. */
export interface Fetched {
  /** Rows the store read. */
  readonly examined: number
  readonly cost: Cost
}

export const nothing: Fetched = Object.freeze({ examined: 0, cost: Object.freeze({ calls: 0 }) })

export function addFetched(a: Fetched, b: Fetched): Fetched {
  if (a === nothing) return b
  return b === nothing ? a : { examined: a.examined + b.examined, cost: addCost(a.cost, b.cost) }
}

/** The sum of two costs; bytes and units only where one of them has any. */
export function addCost(a: Cost, b: Cost | undefined): Cost {
  if (b === undefined) return a
  const bytes = (a.bytes ?? 0) + (b.bytes ?? 0)
  const units = (a.units ?? 0) + (b.units ?? 0)
  return { calls: a.calls + b.calls, ...(bytes > 0 ? { bytes } : {}), ...(units > 0 ? { units } : {}) }
}
