import type { StandardSchema } from '../standard-schema.js'

/** Options of `@Table`. */
export interface TableOptions {
  /** `'plain'`: put and delete only. Default `'conditional'`. */
  writes?: 'plain' | 'conditional'
  /** Hints for individual stores, by adapter name; plain JSON data. */
  stores?: Readonly<Record<string, unknown>>
  /** What whole rows must pass before they are written: a Standard Schema (zod, valibot, arktype …) or several. */
  check?: StandardSchema | readonly StandardSchema[]
}
