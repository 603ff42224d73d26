/**
 * The JSON text of plain data, or undefined where JSON.stringify would drop or change something: undefined, functions,
 * symbols, bigint, NaN, infinities, lone surrogates, Date and other classes, holes, hidden properties, cycles. -0 becomes 0.
 */
export function jsonText(given: unknown): string | undefined {
  return isPlain(given, new Set()) ? JSON.stringify(given) : undefined
}

function isPlain(given: unknown, above: Set<object>): boolean {
  if (given === null || typeof given === 'boolean') return true
  if (typeof given === 'number') return Number.isFinite(given)
  if (typeof given === 'string') return given.isWellFormed()
  if (typeof given !== 'object' || above.has(given) || 'toJSON' in given) return false
  above.add(given)
  const plain = Array.isArray(given) ? isPlainList(given, above) : isPlainObject(given, above)
  above.delete(given)
  return plain
}

function isPlainList(list: readonly unknown[], above: Set<object>): boolean {
  // The length is an own property too; more than one besides the items would be lost.
  return Reflect.ownKeys(list).length === list.length + 1 && Array.from(list).every((item) => isPlain(item, above))
}

function isPlainObject(object: object, above: Set<object>): boolean {
  const prototype = Object.getPrototypeOf(object) as object | null
  // The prototype of plain objects is the only one without a prototype of its own, in every realm.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false
  const entries = Object.entries(object)
  if (Reflect.ownKeys(object).length > entries.length) return false
  return entries.every(([name, value]) => name.isWellFormed() && isPlain(value, above))
}
