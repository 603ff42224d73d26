import type { Replica } from '../requests.js'

/** A tablet as its clients know it. */
export interface LocatedTablet {
  readonly id: string
  /** Partition keys: inclusive, and exclusive, where empty is the end of all. */
  readonly start: Uint8Array
  readonly end: Uint8Array
  readonly buckets: readonly number[]
  readonly replicas: readonly Replica[]
  /** The address where writes and reads go first: what the masters said, until a write has found another one. */
  leader: string | undefined
}

/** A part of the partition keys: a tablet, or a gap between range partitions. */
export interface Part {
  readonly start: Uint8Array
  readonly end: Uint8Array
  readonly tablet: LocatedTablet | undefined
  /** When it was asked for, and until when it can be used, in milliseconds of one clock. */
  readonly since: number
  readonly until: number
}

/** The parts of a table that are known, in the order of their keys. Nothing is known of what lies between them. */
export class PartitionMap {
  #parts: Part[] = []
  readonly #byId = new Map<string, Part>()

  /** The part that has a key. */
  at(key: Uint8Array): Part | undefined {
    const part = this.#parts[upperIndex(this.#parts, key) - 1]
    return part !== undefined && isBefore(key, part.end) ? part : undefined
  }

  /** The part that is a tablet. */
  byId(id: string): Part | undefined {
    return this.#byId.get(id)
  }

  /** Puts parts that follow each other without a hole in the place of all that they touch. */
  put(parts: readonly Part[]): void {
    const [first, last] = [parts[0], parts.at(-1)]
    if (first === undefined || last === undefined) return
    let from = upperIndex(this.#parts, first.start)
    const previous = this.#parts[from - 1]
    if (previous !== undefined && isBefore(first.start, previous.end)) from--
    const to = last.end.length === 0 ? this.#parts.length : lowerIndex(this.#parts, last.end)
    this.#replace(from, to - from, parts)
  }

  /** Forgets the part that has a key. */
  delete(key: Uint8Array): void {
    const index = upperIndex(this.#parts, key) - 1
    const part = this.#parts[index]
    if (part !== undefined && isBefore(key, part.end)) this.#replace(index, 1, [])
  }

  #replace(from: number, count: number, parts: readonly Part[]): void {
    for (const { tablet } of this.#parts.splice(from, count, ...parts)) if (tablet !== undefined) this.#byId.delete(tablet.id)
    for (const part of parts) if (part.tablet !== undefined) this.#byId.set(part.tablet.id, part)
  }
}

/** Whether a key lies before an exclusive end, of which the empty one is the end of all. */
export const isBefore = (key: Uint8Array, end: Uint8Array): boolean => end.length === 0 || compare(key, end) < 0

/** Less than 0 if `a` is less. Keys are short, and most differ in the first bytes. */
export function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] as number) - (b[index] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** The number of parts that start at a key or before it. */
function upperIndex(parts: readonly Part[], key: Uint8Array): number {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare((parts[middle] as Part).start, key) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of parts that start before a key. */
function lowerIndex(parts: readonly Part[], key: Uint8Array): number {
  const index = upperIndex(parts, key)
  const part = parts[index - 1]
  return part !== undefined && compare(part.start, key) === 0 ? index - 1 : index
}

const nothing = new Uint8Array(0)

/**
 * The parts that an answer of the master tells of: it has tablets in order, from the one that has `key` or, if `key` is in a gap, from the one
 * before the gap. Gaps lie between tablets, before the first one if it is after `key`, and after the last one unless more may follow.
 */
export function partsOf(tablets: readonly LocatedTablet[], key: Uint8Array, isLastPage: boolean, since: number, until: number): Part[] {
  const parts: Part[] = []
  const gap = (start: Uint8Array, end: Uint8Array): number => parts.push({ start, end, tablet: undefined, since, until })
  const [first] = tablets
  if (first === undefined) {
    gap(nothing, nothing)
    return parts
  }
  if (compare(key, first.start) < 0) gap(nothing, first.start)
  let end = first.start
  for (const tablet of tablets) {
    if (compare(end, tablet.start) < 0) gap(end, tablet.start)
    parts.push({ start: tablet.start, end: tablet.end, tablet, since, until })
    end = tablet.end
  }
  if (end.length > 0 && isLastPage) gap(end, nothing)
  return parts
}
