import type { ReadFacts } from '../advice/read-facts.js'
import type { ReadCode } from '../advice/rules.js'
import type { Finding } from '../contract/finding.js'

/** How a query runs, as data and as text. Made without I/O. It is JSON. */
export interface Explanation extends ReadFacts {
  /** What is allowed but may hurt. */
  readonly warnings: readonly Finding<ReadCode>[]
  /** A few lines for a terminal, made from the data. Values in it are shortened and escaped. */
  readonly text: string
}
