import { isRowkeyError } from '#codec'
import type { InvalidSchemaDetails, Problem } from '#model'

/** What `make` is refused for; nothing if it is not. */
export function problemsOf(make: () => unknown): readonly Problem[] {
  try {
    make()
  } catch (error) {
    if (!isRowkeyError(error, 'INVALID_SCHEMA')) throw error
    return (error.details as unknown as InvalidSchemaDetails).problems
  }
  return []
}

/** The codes of the problems, with the column where there is one. */
export function problemCodes(make: () => unknown): string[] {
  return problemsOf(make).map(({ code, column }) => (column === undefined ? code : `${code} ${column}`))
}
