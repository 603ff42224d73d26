/** The listener of each signal. Node.js warns of more than ten on one, so all calls that share a signal share its listener. */
const hubs = new WeakMap<AbortSignal, SignalHub>()

class SignalHub {
  readonly #listeners = new Set<() => void>()
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  join(listener: () => void): void {
    if (this.#listeners.size === 0) this.#signal.addEventListener('abort', this.#tell, { once: true })
    this.#listeners.add(listener)
  }

  leave(listener: () => void): void {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#signal.removeEventListener('abort', this.#tell)
  }

  readonly #tell = (): void => {
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener()
  }
}

/** Calls `listener` when the signal is aborted. */
export function joinSignal(signal: AbortSignal, listener: () => void): void {
  let hub = hubs.get(signal)
  if (hub === undefined) hubs.set(signal, (hub = new SignalHub(signal)))
  hub.join(listener)
}

/** Removes a listener, and with the last one that of the signal. */
export const leaveSignal = (signal: AbortSignal, listener: () => void): void => hubs.get(signal)?.leave(listener)
