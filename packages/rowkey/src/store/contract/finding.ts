/**
 * How much a finding matters. A `warning` gets worse as the table or its load grows. An `info` is a cost that stays as it is and may be
 * what you want.
 */
export type Severity = 'warning' | 'info'

/** Something about a table or a query that is allowed but may hurt. It is JSON. */
export interface Finding<Code extends string = string> {
  /** Stable, so that tools can branch on it. `docs/guide/choosing-a-key.md` of the repository lists all codes. */
  readonly code: Code
  readonly severity: Severity
  /** The column that it is about, by its name in the model; absent if it is about several or none. */
  readonly column?: string
  /** What happens, and why: whole sentences. */
  readonly message: string
  /** The one thing to do about it, as whole sentences; absent if that depends on what you need. */
  readonly fix?: string
}

/**
 * What one idea finds in its subject, which is plain data: nothing, or one finding for each place.
 *
 * @example
 * ```ts
 * const wide: Rule<TableSchema, 'wide-key'> = ({ keyLength }) =>
 *   keyLength <= 8 ? [] : [{ code: 'wide-key', severity: 'info', message: `The key has ${keyLength} columns.` }]
 * ```
 */
export type Rule<Subject, Code extends string = string> = (subject: Subject) => readonly Finding<Code>[]

/** A finding with the facts that it follows from, for a tool that says more about it. */
export interface Reasoned<Facts, Code extends string = string> {
  readonly finding: Finding<Code>
  readonly facts: Facts
}

/**
 * What all rules find in a subject, in the order of the rules.
 *
 * @example
 * ```ts
 * findingsOf([wide, ...designRules], schema)
 * ```
 */
export const findingsOf = <Subject, Code extends string>(
  rules: readonly Rule<Subject, Code>[],
  subject: Subject,
): readonly Finding<Code>[] => rules.flatMap((rule) => rule(subject))

/**
 * A finding as text, for a comment or a terminal: its message, then its fix.
 *
 * @example
 * ```ts
 * findingText({ message: 'It reads everything.', fix: 'Bind a column.' }) //=> 'It reads everything. Bind a column.'
 * ```
 */
export const findingText = ({ message, fix }: Pick<Finding, 'message' | 'fix'>): string =>
  fix === undefined ? message : `${message} ${fix}`
