/** A text that is written like a rowkey, and is none. */
export interface Unread {
  /** Why. Begins in lower case and has no full stop. */
  readonly fault: string
}
