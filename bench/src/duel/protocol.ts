import type { Facts } from './contestant.js'

/** What the parent asks of a contestant's process, one question at a time. */
export type Question =
  | { readonly ask: 'warm up' | 'time'; readonly operation: string; readonly calls: number; readonly milliseconds: number }
  | { readonly ask: 'allocation'; readonly operation: string }

/** The first answer comes unasked. */
export type Answer =
  | { readonly is: 'ready'; readonly facts: Facts; readonly operations: readonly string[] }
  | { readonly is: 'number'; readonly number: number }
  | { readonly is: 'failure'; readonly message: string }
