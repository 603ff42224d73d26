// Tested by check.test.ts.

/** The options of `rowkey check`. */
export interface CheckFlags {
  readonly prefix?: string
  readonly quick?: true
  readonly full?: true
  readonly only?: string
  readonly seed: number
  readonly limit: number
  readonly parallel: number
  readonly yes?: true
  readonly dryRun?: true
  readonly remove?: string
  readonly json?: true
}
