/** A binary heap of items ordered by `before`; the first is at the top. */
export class Heap<T> {
  private readonly items: T[] = []
  private readonly before: (a: T, b: T) => boolean

  constructor(before: (a: T, b: T) => boolean) {
    this.before = before
  }

  get size(): number {
    return this.items.length
  }

  get top(): T | undefined {
    return this.items[0]
  }

  push(item: T): void {
    const { items } = this
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.before(item, items[parent] as T)) break
      items[at] = items[parent] as T
      at = parent
    }
    items[at] = item
  }

  pop(): void {
    const last = this.items.pop() as T
    if (this.items.length > 0) this.sink(last)
  }

  /** Restores the order after the top item has moved back. */
  settle(): void {
    this.sink(this.items[0] as T)
  }

  private sink(item: T): void {
    const { items } = this
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && this.before(items[child + 1] as T, items[child] as T)) child++
      if (!this.before(items[child] as T, item)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = item
  }
}
