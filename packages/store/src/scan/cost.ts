import type { Cost, Page } from '../contract/reading.js'

/** What a round of requests found and cost. */
export interface Fetched {
  /** Rows the store read. */
  readonly examined: number
  readonly cost: Cost
}

const oneCall: Cost = Object.freeze({ calls: 1 })

/** Nothing was requested. */
export const nothing: Fetched = Object.freeze({ examined: 0, cost: Object.freeze({ calls: 0 }) })

/** The cost of a page; one call if the page does not say. */
export function fetchedBy(page: Page | undefined): Fetched {
  return page === undefined ? nothing : { examined: page.examined, cost: page.cost ?? oneCall }
}

export function addFetched(a: Fetched, b: Fetched): Fetched {
  if (a === nothing) return b
  return b === nothing ? a : { examined: a.examined + b.examined, cost: addCost(a.cost, b.cost) }
}

/** The sum of two costs; bytes and units only if one of them has any. */
export function addCost(a: Cost, b: Cost | undefined): Cost {
  if (b === undefined) return a
  const bytes = (a.bytes ?? 0) + (b.bytes ?? 0)
  const units = (a.units ?? 0) + (b.units ?? 0)
  return { calls: a.calls + b.calls, ...(bytes > 0 ? { bytes } : {}), ...(units > 0 ? { units } : {}) }
}
