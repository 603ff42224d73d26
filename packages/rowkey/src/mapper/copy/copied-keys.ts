// Tested by copy-table.test.ts.
import { murmur3 } from '#codec/internal'

/** Two hashes of the key in the target, and one of the key in the source. */
const words = 3
/** Each part grows by itself, so that no insert has to move more than a small share of the hashes. */
const parts = 256

/**
 * The keys that a copy has written, as hashes: 16 to 32 bytes for each, whatever its length. Two different keys have the same hashes about
 * once in 10¹⁹ pairs.
 */
export class CopiedKeys {
  private readonly parts = Array.from({ length: parts }, () => new Part())

  /** Adds a key of the target and the key of the source's row that becomes it. Returns false if another row has become it before. */
  add(target: Uint8Array, source: Uint8Array): boolean {
    const [first, second] = hashesOf(target)
    return this.partOf(first).add(first, second, sourceHash(source))
  }

  /** From now on this row of the source is the one that becomes the key of the target: the one before does not any more. */
  replace(target: Uint8Array, source: Uint8Array): void {
    const [first, second] = hashesOf(target)
    this.partOf(first).replace(first, second, sourceHash(source))
  }

  private partOf(first: number): Part {
    return this.parts[first % parts] as Part
  }
}

/** The second is never 0, which marks a free slot. */
const hashesOf = (key: Uint8Array): readonly [number, number] => [murmur3(key, key.length, 1), murmur3(key, key.length, 2) || 1]

const sourceHash = (key: Uint8Array): number => murmur3(key, key.length, 3)

/** A hash table with open addressing. A slot whose second word is 0 is free. */
class Part {
  private slots = new Uint32Array(8 * words)
  private used = 0

  add(first: number, second: number, source: number): boolean {
    if (this.used * words * 4 >= this.slots.length * 3) this.grow()
    const at = this.slotOf(first, second)
    if (this.slots[at + 1] !== 0) return this.slots[at + 2] === source
    this.slots.set([first, second, source], at)
    this.used++
    return true
  }

  replace(first: number, second: number, source: number): void {
    this.slots[this.slotOf(first, second) + 2] = source
  }

  /** The slot of a key, or the free one where it belongs. */
  private slotOf(first: number, second: number): number {
    const { slots } = this
    const count = slots.length / words
    for (let slot = second & (count - 1); ; slot = (slot + 1) & (count - 1)) {
      const at = slot * words
      if (slots[at + 1] === 0 || (slots[at] === first && slots[at + 1] === second)) return at
    }
  }

  private grow(): void {
    const before = this.slots
    this.slots = new Uint32Array(before.length * 2)
    for (let at = 0; at < before.length; at += words) {
      if (before[at + 1] !== 0) this.slots.set(before.subarray(at, at + words), this.slotOf(before[at] as number, before[at + 1] as number))
    }
  }
}
