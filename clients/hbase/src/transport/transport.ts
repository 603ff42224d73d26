import type { Pending } from './pending.js'

/** What carries calls to the gateway. */
export interface Transport {
  /** Takes a call, and settles it in the end. */
  send(pending: Pending): void
  /** Closes what no call uses, and the rest when no call uses it any longer. */
  close(): void
}
