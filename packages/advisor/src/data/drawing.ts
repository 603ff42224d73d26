// Tested by drawn-rows.test.ts.

const maxDrawn = 2000

/** Draws at most 2,000 keys, each with the same chance. The same keys in every run. */
export class Drawing {
  private readonly drawn: { readonly at: number; readonly hex: string }[] = []
  private count = 0
  private state = 0x9e3779b9

  add(hex: string): void {
    const at = this.count++
    const place = at < maxDrawn ? at : Math.floor(this.chance() * this.count)
    if (place < maxDrawn) this.drawn[place] = { at, hex }
  }

  /** In the order in which they were given, with spaces between them. */
  text(): string {
    return this.drawn
      .toSorted((a, b) => a.at - b.at)
      .map(({ hex }) => hex)
      .join(' ')
  }

  /** A number from 0 to 1, by the generator xorshift32. */
  private chance(): number {
    this.state ^= this.state << 13
    this.state ^= this.state >>> 17
    this.state ^= this.state << 5
    return (this.state >>> 0) / 2 ** 32
  }
}
