import type { Row } from '#codec'
import type { Conditions } from '#store/adapter'

/** What a scan requires of the values of its rows. What it requires of their keys cannot change. */
export interface Requirements {
  /** On value columns. */
  readonly conditions: Conditions
  /** The caller's filter in code. */
  readonly filter: ((row: Row) => boolean) | undefined
}

/** Whether every row with a key of the scan meets it, whatever its values are. */
export const requiresNothing = ({ conditions, filter }: Requirements): boolean => conditions.length === 0 && filter === undefined
