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
