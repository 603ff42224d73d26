import { isPlainObject } from '@rowkey/codec'

const deepest = 1000 // as the codec's json()

/**
 * A deep-frozen copy of plain JSON data with sorted keys, so that equal data give equal text; undefined where `given` is
 * anything else (functions, classes, bigint, NaN, cycles, more than 1,000 levels).
 */
export function plainData(given: unknown, above: readonly object[] = []): unknown {
  if (given === null || typeof given === 'boolean' || typeof given === 'string') return given
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined
  if (typeof given !== 'object' || above.length === deepest || above.includes(given)) return undefined
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
