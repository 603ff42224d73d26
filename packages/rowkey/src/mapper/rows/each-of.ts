import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import { atIndex } from '#store/engine'

/**
 * Converts a list item by item; an error names the position in the list. A hole counts as undefined.
 *
 * @throws RowkeyError `INVALID_VALUE` if it is not a list, and what `take` throws
 */
export function eachOf<T, R>(method: string, list: readonly T[], take: (item: T, index: number) => R): R[] {
  if (!Array.isArray(list)) {
    throw new RowkeyError('INVALID_VALUE', `${method} takes a list, not ${show(list)}.`, { column: '', value: show(list) })
  }
  return Array.from(list as readonly T[], (item, index) => {
    try {
      return take(item, index)
    } catch (error) {
      throw atIndex(index, error)
    }
  })
}
