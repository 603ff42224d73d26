type Columns = readonly number[] | undefined

/** Selections of columns that are remembered. An application has few; one that has more still reads, but makes readers again. */
const maxRemembered = 64

/**
 * A function that calls `make` once for each selection of columns and then returns the same result again, for readers that are made for
 * the `columns` of a read. It remembers up to 64 selections.
 *
 * @example
 * ```ts
 * const readerOf = byColumns((columns) => format.reader(columns))
 * readerOf([3, 4]) === readerOf([3, 4]) //=> true
 * ```
 */
export function byColumns<T extends object>(make: (columns: Columns) => T): (columns: Columns) => T {
  const all = make(undefined)
  const remembered = new Map<string, T>()
  return (columns) => {
    if (columns === undefined) return all
    const selection = columns.join()
    const known = remembered.get(selection)
    if (known !== undefined) return known
    if (remembered.size >= maxRemembered) remembered.clear()
    const made = make(columns)
    remembered.set(selection, made)
    return made
  }
}
