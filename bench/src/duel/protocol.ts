import type { Facts } from './contestant.js'

/** What the parent asks of a contestant's process, one question at a time. */
export type Question =
  | {
      readonly ask: 'warm up' | 'time'
      readonly operation: string
      /** At least. */
      readonly calls: number
      readonly milliseconds: number
    }
  | { readonly ask: 'allocation'; readonly operation: string }

/** A figure; of a time, what the clock on the wall says as well. */
export interface Measured {
  readonly number: number
  readonly wall?: number
}

/** The first answer comes unasked. */
export type Answer =
  | { readonly is: 'ready'; readonly facts: Facts; readonly operations: readonly string[] }
  | ({ readonly is: 'number' } & Measured)
  | { readonly is: 'failure'; readonly message: string }
