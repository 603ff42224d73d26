import type { Row } from '#store/adapter'

/** Max entries: a slot has 24 bits for the number of an entry. */
export const indexCapacity: number = 2 ** 24 - 2

const numberMask = 0xff_ffff
const empty = 0
/** A slot whose entry was deleted while the next one was in use. A search continues after it. It has no entry number. */
const deleted = ~numberMask
const minSlots = 16
/** How many entries each insert and delete moves while the slots are replaced. */
const step = 32
/** Share of the slots that may be in use before they are replaced. By the time they are, it has risen by a 32nd. */
const full = 0.8
/** Max keys with the same hash that a new key is compared with. Ordinary keys meet fewer than ten. */
const maxCollisions = 64

/** Entries of a chunk, as a power of two. An index of few rows stays small, and growing copies nothing. */
const chunkBits = 7
const chunkMask = (1 << chunkBits) - 1
const vacant = ''
/** A slice of it has exactly the capacity it needs. An array that grows reserves a sixth more. */
const vacantChunk: readonly (string | Row)[] = Array.from({ length: 2 << chunkBits }, () => vacant)

/**
 * Records by key, without an order: an open hash table with linear probing. At 100,000 entries it takes 22 bytes per entry, a `Map` about
 * 36. After deletes it replaces its slots only when a fifth of them is marked as deleted.
 *
 * A slot is one integer: 8 bits of the hash, and the number of the entry plus one. Because of the 8 bits, most searches compare only
 * their own key. Entries are dense: the last one moves to the place of a deleted one.
 *
 * It grows and shrinks without a pause: the next slots are filled by a few entries per write, in the order of their numbers, while the
 * current ones still find every key. So a get never looks into two tables.
 */
export class HashIndex {
  size = 0
  private readonly seed = (Math.random() * 2 ** 32) | 0
  private slots: Int32Array = new Int32Array(minSlots)
  /** Slots that are not empty. */
  private used = 0
  /** What replaces the slots; undefined most of the time. It has the entries whose number is less than `moved`. */
  private next: Int32Array | undefined
  private moved = 0
  /** Slots of `next` whose entry was deleted. */
  private nextDeleted = 0
  private readonly chunks: (string | Row)[][] = []

  get(key: string): Row | undefined {
    const slot = this.find(key)
    return slot < 0 ? undefined : this.rowAt(((this.slots[slot] as number) & numberMask) - 1)
  }

  /** @returns false if the key collides with so many others that somebody must have chosen them; the index must not be used after that */
  set(key: string, row: Row): boolean {
    const hash = this.hashOf(key)
    const { slots } = this
    const mask = slots.length - 1
    let free = -1
    let collisions = 0
    let at = hash & mask
    for (let slot = slots[at] as number; slot !== empty; slot = slots[(at = (at + 1) & mask)] as number) {
      if (slot === deleted) {
        if (free < 0) free = at
      } else if ((slot ^ hash) >>> 24 === 0) {
        const entry = (slot & numberMask) - 1
        const chunk = this.chunks[entry >>> chunkBits] as (string | Row)[]
        const place = (entry & chunkMask) << 1
        if (chunk[place] === key) {
          chunk[place + 1] = row
          return true
        }
        if (++collisions > maxCollisions) return false
      }
    }
    slots[free < 0 ? at : free] = (hash & ~numberMask) | (this.size + 1)
    this.append(key, row)
    if (free < 0) this.used++
    if (this.next !== undefined) this.move()
    else if (this.used > slots.length * full) this.replaceSlots(this.size > slots.length * 0.6 ? slots.length * 2 : slots.length)
    return true
  }

  delete(key: string): boolean {
    const slot = this.find(key)
    if (slot < 0) return false
    const { slots, next } = this
    const entry = ((slots[slot] as number) & numberMask) - 1
    this.used -= release(slots, slot)
    if (next !== undefined && entry < this.moved) this.nextDeleted += 1 - release(next, slotOf(next, this.hashOf(key), entry))
    this.size--
    const chunk = this.chunks[this.size >>> chunkBits] as (string | Row)[]
    const last = (this.size & chunkMask) << 1
    if (entry !== this.size) this.renumber(chunk[last] as string, chunk[last + 1] as Row, entry)
    chunk[last] = chunk[last + 1] = vacant
    if (last === 0) this.chunks.pop()
    if (next !== undefined) this.move()
    else if (this.size < slots.length / 8 && slots.length > minSlots) this.replaceSlots(slots.length / 4)
    return true
  }

  /** Gives the last entry the number of the deleted one. */
  private renumber(key: string, row: Row, entry: number): void {
    const { slots, next } = this
    const hole = this.chunks[entry >>> chunkBits] as (string | Row)[]
    const place = (entry & chunkMask) << 1
    hole[place] = key
    hole[place + 1] = row
    const hash = this.hashOf(key)
    slots[slotOf(slots, hash, this.size)] = slotFor(hash, entry)
    // The last entry is the last one to be moved.
    if (next !== undefined && entry < this.moved) occupy(next, hash, entry)
  }

  private append(key: string, row: Row): void {
    const last = this.size >>> chunkBits
    if (last === this.chunks.length) this.chunks.push(vacantChunk.slice())
    const chunk = this.chunks[last] as (string | Row)[]
    const place = (this.size & chunkMask) << 1
    chunk[place] = key
    chunk[place + 1] = row
    this.size++
  }

  /** The slot of a key, -1 if it is absent. */
  private find(key: string): number {
    const hash = this.hashOf(key)
    const { slots, chunks } = this
    const mask = slots.length - 1
    let at = hash & mask
    for (let slot = slots[at] as number; slot !== empty; slot = slots[(at = (at + 1) & mask)] as number) {
      if ((slot ^ hash) >>> 24 !== 0 || slot === deleted) continue
      const entry = (slot & numberMask) - 1
      if ((chunks[entry >>> chunkBits] as (string | Row)[])[(entry & chunkMask) << 1] === key) return at
    }
    return -1
  }

  /** Fast, but an attacker can choose keys that collide with every seed. `set()` detects that. */
  protected hashOf(key: string): number {
    const { length } = key
    let hash = this.seed ^ length
    let i = 0
    for (; i + 3 < length; i += 4) {
      const four = key.charCodeAt(i) | (key.charCodeAt(i + 1) << 8) | (key.charCodeAt(i + 2) << 16) | (key.charCodeAt(i + 3) << 24)
      hash = Math.imul(hash ^ four, 0x5bd1e995)
      hash ^= hash >>> 15
    }
    for (; i < length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return hash ^ (hash >>> 16)
  }

  private rowAt(entry: number): Row {
    return (this.chunks[entry >>> chunkBits] as (string | Row)[])[((entry & chunkMask) << 1) + 1] as Row
  }

  /** Begins to replace the slots. Memory of any size is zeroed by the operating system, page by page when it is used. */
  private replaceSlots(length: number): void {
    this.next = new Int32Array(Math.max(minSlots, length))
    this.moved = this.nextDeleted = 0
    this.move()
  }

  /** The next entries get their new slots. After the last one these are used. */
  private move(): void {
    const next = this.next as Int32Array
    const end = Math.min(this.moved + step, this.size)
    for (let entry = this.moved; entry < end; entry++) {
      occupy(next, this.hashOf((this.chunks[entry >>> chunkBits] as (string | Row)[])[(entry & chunkMask) << 1] as string), entry)
    }
    this.moved = end
    if (end < this.size) return
    this.slots = next
    this.used = this.size + this.nextDeleted
    this.next = undefined
  }
}

const slotFor = (hash: number, entry: number): number => (hash & ~numberMask) | (entry + 1)

/** The slot of an existing entry. */
function slotOf(slots: Int32Array, hash: number, entry: number): number {
  const mask = slots.length - 1
  const wanted = slotFor(hash, entry)
  let at = hash & mask
  while (slots[at] !== wanted) at = (at + 1) & mask
  return at
}

/** Marks a slot as deleted. If no search has to pass it, because the next one is empty, it is empty again, and so are marks before it. */
function release(slots: Int32Array, at: number): number {
  const mask = slots.length - 1
  slots[at] = deleted
  if (slots[(at + 1) & mask] !== empty) return 0
  let emptied = 0
  for (let last = at; slots[last] === deleted; last = (last - 1) & mask) {
    slots[last] = empty
    emptied++
  }
  return emptied
}

/** Gives an entry the first empty slot. */
function occupy(slots: Int32Array, hash: number, entry: number): void {
  const mask = slots.length - 1
  let at = hash & mask
  while (slots[at] !== empty) at = (at + 1) & mask
  slots[at] = slotFor(hash, entry)
}
