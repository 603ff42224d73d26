/**
 * The name that is most like a misspelt one: the fewest letters are added, left out, replaced or swapped, whatever their case. Undefined if none
 * is like it: where half of the letters are others, a suggestion would mislead.
 *
 * @internal
 * @example
 * ```ts
 * nearestName('insert', ['table', 'inserts', 'updates']) //=> 'inserts'
 * nearestName('reverse', ['table', 'where', 'order']) //=> undefined
 * ```
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  // What is longer than any name is as far from all of them.
  const wanted = given.slice(0, 64).toLowerCase()
  const distances = names.map((name) => [distance(wanted, name.toLowerCase()), name] as const)
  const nearest = distances.reduce<readonly [number, string] | undefined>(
    (best, each) => (best === undefined || each[0] < best[0] ? each : best),
    undefined,
  )
  if (nearest === undefined) return undefined
  const [changes, name] = nearest
  const length = Math.max(wanted.length, name.length)
  return changes * 2 < length || (changes === 1 && length === 2) ? name : undefined
}

/** Changes of one letter, or swaps of two neighbours, that make one text of another. */
function distance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (row: readonly number[], place: number): number => row[place] as number
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1), isSwap ? at(before, j - 2) + 1 : Infinity)
    }
    ;[before, last] = [last, row]
  }
  return at(last, b.length)
}
