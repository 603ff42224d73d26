import type { Random } from '../../packages/rowkey/src/conformance/oracle/random.js'

/** What a server may put in the place of a part of an answer: nothing of it is what the part was. */
const others: readonly unknown[] = [null, undefined, '', 'rubbish', -1, 0.5, NaN, 2 ** 60, true, [], {}, [null], Buffer.alloc(0)]

/**
 * An answer with one part changed so that it is none any more: a list with a part more or less, bytes that end early, a value of another type. The
 * answer itself is left as it is.
 */
export function mangled(answer: unknown, random: Random): unknown {
  if (Array.isArray(answer)) {
    const at = random.below(answer.length + 1)
    const list = [...(answer as readonly unknown[])]
    const pick = random.below(8)
    if (pick === 0) return list.toSpliced(at, 1)
    if (pick === 1) return list.toSpliced(at, 0, others[random.below(others.length)])
    if (pick === 2) return others[random.below(others.length)]
    return at === list.length ? list.toSpliced(0, list.length) : list.with(at, mangled(list[at], random))
  }
  if (Buffer.isBuffer(answer) && answer.length > 0 && random.chance(0.4)) return answer.subarray(0, answer.length - 1)
  if (typeof answer === 'object' && answer !== null && !Buffer.isBuffer(answer)) {
    const names = Object.keys(answer)
    const name = names[random.below(Math.max(1, names.length))]
    if (name !== undefined && random.chance(0.8)) return { ...answer, [name]: mangled((answer as Record<string, unknown>)[name], random) }
  }
  const other = others[random.below(others.length)]
  return Object.is(other, answer) ? 'something else' : other
}
