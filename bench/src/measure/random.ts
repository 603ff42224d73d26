/** Random numbers that are the same in every process. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** From 0 up to but not 1. Mulberry32. */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** From 0 up to but not `end`. */
  integer(end: number): number {
    return Math.floor(this.fraction() * end)
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.integer(choices.length)] as T
  }

  /** Lower-case letters. */
  word(length: number): string {
    return this.text(length, Array.from('abcdefghijklmnopqrstuvwxyz'))
  }

  /** In one piece: the engine puts off joining parts, and the first reader would pay for it. */
  text(length: number, alphabet: readonly string[]): string {
    const joined = Array.from({ length }, () => this.pick(alphabet)).join('')
    return Buffer.from(joined, 'utf8').toString('utf8')
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length)
    for (let i = 0; i < length; i++) bytes[i] = this.integer(256)
    return bytes
  }
}
