import type { Waiting } from '../transport/waiting.js'

/** Someone who waits for a turn. */
interface Waiter {
  readonly go: () => void
  isGone: boolean
}

/** How many requests a server has at a time: it refuses what its queue, of 50 by default, does not take. */
const most = 48

/** Requests to one server, of which some wait until others were answered. */
export class Turns {
  #running = 0
  #waiters: Waiter[] = []
  #first = 0

  /** Takes a turn; undefined: at this moment. @throws KuduError if the time is over before */
  take(waiting: Waiting): Promise<void> | undefined {
    if (this.#running >= most) return this.#wait(waiting)
    this.#running++
    return undefined
  }

  /** Gives a turn to whoever has waited longest. */
  give(): void {
    for (;;) {
      const next = this.#shift()
      if (next === undefined) break
      if (next.isGone) continue
      next.go()
      return
    }
    this.#running--
  }

  #wait(waiting: Waiting): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = (): void => {
        waiter.isGone = true
        reject(waiting.overError())
      }
      const waiter: Waiter = {
        isGone: false,
        go() {
          waiting.leave(over)
          resolve()
        },
      }
      waiting.onOver(over)
      this.#waiters.push(waiter)
    })
  }

  #shift(): Waiter | undefined {
    const waiter = this.#waiters[this.#first]
    if (waiter === undefined) return undefined
    this.#first++
    // What has gone is half of the memory: to move the rest costs no more than what went.
    if (this.#first * 2 >= this.#waiters.length) {
      this.#waiters = this.#waiters.slice(this.#first)
      this.#first = 0
    }
    return waiter
  }
}
