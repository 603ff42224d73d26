/** What came first goes first. Each step costs the same, however long the queue is. */
export class Queue<Element> {
  #elements: Element[] = []
  #first = 0

  get length(): number {
    return this.#elements.length - this.#first
  }

  get first(): Element | undefined {
    return this.#elements[this.#first]
  }

  push(element: Element): void {
    this.#elements.push(element)
  }

  /** Takes the first one away. */
  shift(): void {
    this.#first++
    // What has gone is half of the memory: to move the rest costs no more than what went.
    if (this.#first * 2 >= this.#elements.length) {
      this.#elements = this.#elements.slice(this.#first)
      this.#first = 0
    }
  }

  /** Those that are there, first to last. */
  all(): readonly Element[] {
    return this.#elements.slice(this.#first)
  }
}
