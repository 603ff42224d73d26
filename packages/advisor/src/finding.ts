// Tested by advise.test.ts.
import type { Finding as SharedFinding } from 'rowkey/adapter'
import type { IndexJSON, SchemaJSON } from 'rowkey/internal'
import type { Subject } from './subject/subject.js'

/**
 * A change of a schema, as a part of its JSON: each field replaces that of {@link SchemaJSON}, except for `indexes`.
 * For example, `{ salt: [{ kind: 'hash', of: ['id'], count: 16, seed: 0 }] }` gives a table a salt.
 */
export interface SchemaChange {
  readonly salt?: SchemaJSON['salt']
  /** The names of all partition columns, in order. */
  readonly partition?: readonly string[]
  /** The names of the other key columns, in order. Key columns that it leaves out become value columns. */
  readonly key?: readonly string[]
  /** Types as JSON, by column. One that the schema does not have is added, such as the period of a partition. */
  readonly types?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly stores?: SchemaJSON['stores']
  /** Indexes that are added to those that the schema has. */
  readonly indexes?: readonly IndexJSON[]
}

/** What the advisor says about a table. It is JSON. */
export interface Finding extends Omit<SharedFinding, 'severity'> {
  /**
   * How much it matters. An error is refused by the store, or loses rows or queries as soon as the table is used. A warning gets worse as the
   * table or its load grows. An info is a cost that may be what you want.
   */
  readonly severity: SharedFinding['severity'] | 'error'
  /** The name of the table. */
  readonly table: string
  /** What it follows from: the model alone, the queries, a sample of rows, the store, or the model of the existing table. */
  readonly stage: 'model' | 'queries' | 'data' | 'store' | 'existing'
  /**
   * The lines of the vendors' guides that it is about, which advise it, or which it answers: ids of `docs/guides-coverage.md`, sorted. Empty if it is
   * our own experience.
   */
  readonly guides: readonly string[]
  /** Its numbers, as a phrase: `16 buckets, whole seconds: 2 of 16 used`. */
  readonly evidence: string
  /** The fix as a change of the schema, for {@link applyFix}; absent if the fix needs a decision that only you can take. */
  readonly change?: SchemaChange
}

/** What `advise()` returns. It is JSON. */
export interface Advice {
  /** Errors first, then warnings, then the rest. */
  readonly findings: readonly Finding[]
  /** Findings that somebody ignores, with the reason. */
  readonly ignored: readonly (Finding & { readonly reason: string })[]
}

/** A finding without what is the same for all findings of a rule. */
export type RuleFinding = Omit<Finding, 'table' | 'code' | 'guides' | 'stage'> & Partial<Pick<Finding, 'stage' | 'guides' | 'code'>>

/** One idea about keys: what it looks for, and who says so. */
export interface AdviceRule {
  /** Stable, so that tools can branch on it. `docs/rules` has a page for each. */
  readonly code: string
  readonly stage: Finding['stage']
  readonly guides: readonly string[]
  /** Nothing, or one finding for each place. */
  find(subject: Subject): readonly RuleFinding[]
}
