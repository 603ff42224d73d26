/** A place in the queues of some rows. */
export interface Turn {
  /** Resolves when all turns that were taken earlier for the same rows have ended. */
  readonly ready: Promise<unknown>
  readonly end: () => void
}

const nothing: Promise<unknown> = Promise.resolve()

/** Calls of this process that change the same row one after the other. A row is only remembered while a call waits for it or changes it. */
export class RowTurns {
  private readonly last = new Map<string, Promise<unknown>>()

  /** Never takes two turns for the rows of one call, so calls cannot wait for each other in a circle. */
  take(rows: readonly string[]): Turn {
    const earlier = rows.flatMap((row) => this.last.get(row) ?? [])
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const done = earlier.length === 0 ? ended : Promise.all([...earlier, ended])
    for (const row of rows) this.last.set(row, done)
    return {
      ready: earlier.length === 0 ? nothing : Promise.all(earlier),
      end: () => {
        for (const row of rows) if (this.last.get(row) === done) this.last.delete(row)
        end()
      },
    }
  }
}
