import type { Row } from '@rowkey/store/adapter'

/** Max entries: a slot has 24 bits for the number of an entry. */
export const indexCapacity: number = 2 ** 24 - 2

const numberMask = 0xff_ffff
const empty = 0
/** A slot whose entry was deleted. A search continues after it. It has no entry number. */
const deleted = ~numberMask
const minSlots = 16
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
 * 36. After deletes it rehashes only when a fifth of the slots has been used since the last rehash.
 *
 * A slot is one integer: 8 bits of the hash, and the number of the entry plus one. Because of the 8 bits, most searches compare only
 * their own key. Entries are dense: the last one moves to the place of a deleted one.
 */
export class HashIndex {
  size = 0
  private readonly seed = (Math.random() * 2 ** 32) | 0
  private slots = new Int32Array(minSlots)
  /** Slots that are not empty. */
  private used = 0
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
    if (free < 0) {
      this.used++
      if (this.used > slots.length * 0.8) this.rebuild(this.size > slots.length * 0.6 ? slots.length * 2 : slots.length)
    }
    return true
  }

  delete(key: string): boolean {
    const slot = this.find(key)
    if (slot < 0) return false
    const { slots } = this
    const entry = ((slots[slot] as number) & numberMask) - 1
    slots[slot] = deleted
    this.size--
    const chunk = this.chunks[this.size >>> chunkBits] as (string | Row)[]
    const last = (this.size & chunkMask) << 1
    const moved = chunk[last] as string
    const row = chunk[last + 1] as Row
    chunk[last] = chunk[last + 1] = vacant
    if (last === 0) this.chunks.pop()
    if (entry !== this.size) {
      const hole = this.chunks[entry >>> chunkBits] as (string | Row)[]
      const place = (entry & chunkMask) << 1
      hole[place] = moved
      hole[place + 1] = row
      const from = this.slotOf(this.hashOf(moved), this.size)
      slots[from] = ((slots[from] as number) & ~numberMask) | (entry + 1)
    }
    if (this.size < slots.length / 8 && slots.length > minSlots) this.rebuild(slots.length / 4)
    return true
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

  /** The slot of an existing entry. */
  private slotOf(hash: number, entry: number): number {
    const { slots } = this
    const mask = slots.length - 1
    const wanted = (hash & ~numberMask) | (entry + 1)
    let at = hash & mask
    while (slots[at] !== wanted) at = (at + 1) & mask
    return at
  }

  private rowAt(entry: number): Row {
    return (this.chunks[entry >>> chunkBits] as (string | Row)[])[((entry & chunkMask) << 1) + 1] as Row
  }

  private rebuild(length: number): void {
    const slots = new Int32Array(Math.max(minSlots, length))
    const mask = slots.length - 1
    for (let entry = 0; entry < this.size; entry++) {
      const hash = this.hashOf((this.chunks[entry >>> chunkBits] as (string | Row)[])[(entry & chunkMask) << 1] as string)
      let at = hash & mask
      while (slots[at] !== empty) at = (at + 1) & mask
      slots[at] = (hash & ~numberMask) | (entry + 1)
    }
    this.slots = slots
    this.used = this.size
  }

  /** Fast, but an attacker can choose keys that collide with every seed. `set()` detects that. */
  private hashOf(key: string): number {
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
}
