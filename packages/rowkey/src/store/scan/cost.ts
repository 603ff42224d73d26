import type { Cost, Page } from '../contract/reading.js'

/** What a round of requests found and cost. */
export interface Fetched {
  /** Rows the store read. */
  readonly examined: number
  readonly cost: Cost
}

const oneCall: Cost = Object.freeze({ calls: 1 })

/** Nothing was requested. */
export const nothing: Fetched = Object.freeze({ examined: 0, cost: Object.freeze({ calls: 0, sent: 0 }) })

/** What a page says about its cost. */
export function fetchedBy(page: Page | undefined): Fetched {
  return page === undefined ? nothing : { examined: page.examined, cost: costOf(page) }
}

/** The cost of a page; one call, and the rows that it contains, if the page does not say. */
export function costOf({ rows, cost = oneCall }: Page): Cost {
  return cost.sent === undefined ? { ...cost, sent: rows.length } : cost
}

export function addFetched(a: Fetched, b: Fetched): Fetched {
  if (a === nothing) return b
  return b === nothing ? a : { examined: a.examined + b.examined, cost: addCost(a.cost, b.cost) }
}

/** The sum of two costs; bytes and units only if one of them has any. */
export function addCost(a: Cost, b: Cost): Cost & { readonly sent: number } {
  const bytes = (a.bytes ?? 0) + (b.bytes ?? 0)
  const units = (a.units ?? 0) + (b.units ?? 0)
  return { calls: a.calls + b.calls, sent: (a.sent ?? 0) + (b.sent ?? 0), ...(bytes > 0 ? { bytes } : {}), ...(units > 0 ? { units } : {}) }
}
