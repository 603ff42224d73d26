import { codecError } from '../error.js'
import { show } from '../values/show.js'

/** Refuses what is no key object, and properties that are no columns: a misspelt or forgotten one would change what is asked for. */
export function checkKey(given: unknown, known: ReadonlySet<string>): void {
  if (typeof given !== 'object' || given === null) {
    const value = show(given)
    throw codecError('INVALID_VALUE', `a key is an object with a value for each column, not ${value}.`, { column: '', value })
  }
  for (const column of Object.keys(given)) {
    if (known.has(column)) continue
    const message = `the key has no column '${column}'. Its columns are ${[...known].join(', ')}.`
    throw codecError('INVALID_VALUE', message, { column, value: show((given as Record<string, unknown>)[column]) })
  }
}

/** Refuses what is no row. */
export function checkRow(given: unknown): void {
  if (Array.isArray(given)) return
  const value = show(given)
  throw codecError('INVALID_VALUE', `a row is a list with a value for each column, not ${value}.`, { column: '', value })
}
