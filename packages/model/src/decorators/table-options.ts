/** Options of `@Table`. */
export interface TableOptions {
  /** `'plain'`: put and delete only. Default `'conditional'`. */
  writes?: 'plain' | 'conditional'
  /** Hints for single stores, by adapter name; plain JSON data. */
  stores?: Readonly<Record<string, unknown>>
}
