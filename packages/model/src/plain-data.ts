/**
 * A deep-frozen copy of plain JSON data with sorted keys, so that equal data give equal text; undefined where `given` is
 * anything else (functions, classes, bigint, NaN, cycles).
 */
export function plainData(given: unknown, above: readonly object[] = []): unknown {
  if (given === null || typeof given === 'boolean' || typeof given === 'string') return given
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined
  if (typeof given !== 'object' || above.includes(given)) return undefined
  const inside = [...above, given]
  if (Array.isArray(given)) {
    const list = Array.from(given, (item) => plainData(item, inside))
    return list.includes(undefined) ? undefined : Object.freeze(list)
  }
  if (!isPlainObject(given)) return undefined
  const entries = Object.keys(given)
    .sort()
    .map((name) => [name, plainData(given[name], inside)] as const)
  return entries.some(([, value]) => value === undefined) ? undefined : Object.freeze(Object.fromEntries(entries))
}

/** An object without a class, hence without a hidden `__proto__: …` entry. */
export function isPlainObject(given: unknown): given is Record<string, unknown> {
  if (typeof given !== 'object' || given === null) return false
  const prototype: unknown = Object.getPrototypeOf(given)
  return prototype === null || prototype === Object.prototype
}
