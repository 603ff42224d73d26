import { isPlainObject } from './built-in.js'

/** Lists and objects within each other. Far above what rows need, and far below what the call stack of any engine bears. */
export const deepest = 1000

/**
 * The JSON text of plain data, or undefined where JSON.stringify would drop or change something: undefined, functions,
 * symbols, bigint, NaN, infinities, lone surrogates, Date and other classes, holes, hidden properties, cycles; and where it is
 * deeper than {@link deepest}. -0 becomes 0.
 */
export function jsonText(given: unknown): string | undefined {
  return isPlain(given, new Set()) ? JSON.stringify(given) : undefined
}

function isPlain(given: unknown, above: Set<object>): boolean {
  if (given === null || typeof given === 'boolean') return true
  if (typeof given === 'number') return Number.isFinite(given)
  if (typeof given === 'string') return given.isWellFormed()
  if (typeof given !== 'object' || above.size === deepest || above.has(given) || 'toJSON' in given) return false
  above.add(given)
  const plain = Array.isArray(given) ? isPlainList(given, above) : isPlainMap(given, above)
  above.delete(given)
  return plain
}

function isPlainList(list: readonly unknown[], above: Set<object>): boolean {
  // The length is an own property too; more than one besides the items would be lost.
  return Reflect.ownKeys(list).length === list.length + 1 && Array.from(list).every((item) => isPlain(item, above))
}

function isPlainMap(object: object, above: Set<object>): boolean {
  if (!isPlainObject(object)) return false
  const entries = Object.entries(object)
  if (Reflect.ownKeys(object).length > entries.length) return false
  return entries.every(([name, value]) => name.isWellFormed() && isPlain(value, above))
}

/**
 * No more characters than the JSON text of `given` has, counted up to `enough`. What is in it several times counts several times, as in the
 * text, which is how a few objects can make a text that no memory holds.
 */
export function leastText(given: unknown, enough: number): number {
  let count = 0
  const add = (value: unknown, depth: number): void => {
    count += typeof value === 'string' ? value.length + 2 : 1
    if (depth === deepest) return
    const [names, items] = Array.isArray(value) ? [undefined, value as readonly unknown[]] : entriesOf(value)
    if (items === undefined) return
    count += Math.max(1, items.length) // the second bracket and the commas
    for (let i = 0; i < items.length && count <= enough; i++) {
      if (names !== undefined) count += (names[i] as string).length + 3 // quotes and colon
      add(items[i], depth + 1)
    }
  }
  add(given, 0)
  return count
}

function entriesOf(value: unknown): readonly [names: readonly string[], items: readonly unknown[]] | readonly [] {
  return typeof value === 'object' && isPlainObject(value) ? [Object.keys(value), Object.values(value)] : []
}
