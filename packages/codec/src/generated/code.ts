/**
 * JavaScript text for one column. In it `b` is the array of bytes, `p` the position, `n` the length of `b`, and `t` and `u` are free
 * for use; `v` stands for the local variable that holds the value. Nothing in it comes from outside: numbers of ours, names of ours.
 */
export interface ColumnCode {
  /** What its text names besides the runtime's. */
  readonly uses: Readonly<Record<string, unknown>>
  /** Expression: the local from what the caller gives, `x`. Must not throw. */
  take(x: string): string
  /** Condition: whether this code cannot write the local. */
  misfit(v: string): string
  /** The local is the caller's bytes, perhaps in the very memory that is written to, and `write` reads them. */
  readonly mayOverlap?: true
  /** Statements: what to take out of the local before anything is written. */
  load?(v: string): string
  /** Expression: the most bytes it can take. */
  room(v: string): string
  /** Statements: write it and move `p`; `writeText` is the name of the function for text. */
  write(v: string, writeText: string): string
  /** Statements: read into the local and move `p`, or return where only the closures can tell what is wrong. */
  read(v: string): string
  /** Expression: what the caller gets. */
  give(v: string): string
  /** Expression: the canonical value, for salts that have no code of their own. */
  canonical(v: string): string
  /** Statements: return the key order of two canonical values, unless they are equal. */
  compare(a: string, b: string): string
}

/** Whether the caller gives and gets key objects, or rows of canonical values. */
export type Shape = 'key' | 'row'

/** What every 32 bits of a descending column are XORed with; 0 for an ascending one. */
export type Mask = 0 | -1

/** JavaScript text for the value of one salt; `b` is the key, `q0` `q1` … are where its columns begin, `v0` `v1` … their locals. */
export interface SaltCode {
  /** What its text names. */
  readonly uses: Readonly<Record<string, unknown>>
  /** Columns whose begin, and whose end, it needs in `q…`. */
  readonly marks: readonly number[]
  /** Expression. The columns are in the key already. */
  readonly value: string
}
