/**
 * The JSON text of plain data, or undefined where JSON.stringify would drop or change something: undefined, functions,
 * symbols, bigint, NaN, infinities, lone surrogates, Date and other classes, holes, cycles. -0 becomes 0.
 */
export function jsonText(given: unknown): string | undefined {
  return isPlain(given, new Set()) ? JSON.stringify(given) : undefined
}

function isPlain(given: unknown, above: Set<object>): boolean {
  if (given === null || typeof given === 'boolean') return true
  if (typeof given === 'number') return Number.isFinite(given)
  if (typeof given === 'string') return given.isWellFormed()
  if (typeof given !== 'object' || above.has(given)) return false
  above.add(given)
  const plain = Array.isArray(given) ? isPlainList(given, above) : isPlainObject(given, above)
  above.delete(given)
  return plain
}

function isPlainList(list: readonly unknown[], above: Set<object>): boolean {
  for (let i = 0; i < list.length; i++) if (!(i in list) || !isPlain(list[i], above)) return false
  return true
}

function isPlainObject(object: object, above: Set<object>): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return false
  if (Object.getOwnPropertySymbols(object).length > 0 || 'toJSON' in object) return false
  return Object.entries(object).every(([name, value]) => name.isWellFormed() && isPlain(value, above))
}
