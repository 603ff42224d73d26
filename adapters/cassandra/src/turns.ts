/** One after the other, by name: conditional writes of one process to one partition would only hinder each other at the server. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>()

  async take<T>(name: string, run: () => Promise<T>): Promise<T> {
    const before = this.last.get(name)
    let done = (): void => undefined
    const mine = new Promise<void>((resolve) => (done = resolve))
    this.last.set(name, mine)
    try {
      await before
      return await run()
    } finally {
      if (this.last.get(name) === mine) this.last.delete(name)
      done()
    }
  }
}
