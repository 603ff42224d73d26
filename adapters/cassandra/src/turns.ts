import { Interruption, type WriteOptions } from '@rowkey/store'

/** One after the other, by name: conditional writes of one process to one partition would only hinder each other at the server. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>()

  /** Who has no time left, or was given up, does not wait for its turn. */
  take<T>(name: string, run: () => Promise<T>, limits: Pick<WriteOptions, 'signal' | 'deadline'> = {}): Promise<T> {
    const before = this.last.get(name)
    const ran = before === undefined ? run() : inTime(before, limits).then(run)
    const mine = Promise.allSettled([before, ran]).then(() => {
      if (this.last.get(name) === mine) this.last.delete(name)
    })
    this.last.set(name, mine)
    return ran
  }
}

async function inTime(before: Promise<unknown>, { signal, deadline }: Pick<WriteOptions, 'signal' | 'deadline'>): Promise<void> {
  const interruption = new Interruption(signal, deadline, Date.now)
  await interruption.wait(before).finally(() => {
    interruption.end()
  })
}
