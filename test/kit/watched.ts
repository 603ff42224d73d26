import { isPromise, type Page, type PageSource } from 'rowkey/adapter'

/** Sees to the protocol of page sources: who is asked when, and who is closed. */
export class Watch {
  readonly violations: string[] = []
  opened = 0
  private readonly open = new Set<PageSource>()

  /** Sources that were asked and neither ended nor closed. */
  get left(): number {
    return this.open.size
  }

  source(inner: PageSource): PageSource {
    let state: 'ready' | 'pending' | 'ended' | 'failed' | 'closed' = 'ready'
    this.opened++
    const to = (next: typeof state): void => {
      if (state === 'closed') return
      state = next
    }
    const settle = (page: Page | undefined): Page | undefined => {
      to(page === undefined ? 'ended' : 'ready')
      return page
    }
    const fail = (error: unknown): never => {
      to('failed')
      throw error
    }
    const watched: PageSource = {
      next: (want) => {
        if (state !== 'ready') this.violations.push(`next() when ${state}`)
        if (!Number.isSafeInteger(want) || want < 1) this.violations.push(`next(${want})`)
        this.open.add(watched)
        to('pending')
        try {
          const answer = inner.next(want)
          return isPromise(answer) ? answer.then(settle, fail) : settle(answer)
        } catch (error) {
          return fail(error)
        }
      },
      close: () => {
        this.open.delete(watched)
        state = 'closed'
        inner.close()
      },
    }
    return watched
  }
}
