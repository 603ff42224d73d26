/**
 * The listeners for the abort of each signal. Runtimes warn about many listeners on one signal, so each signal has one, however many calls
 * share it.
 */
const hubs = new WeakMap<AbortSignal, SignalHub>()

class SignalHub {
  readonly listeners = new Set<() => void>()

  readonly onAbort = (): void => {
    const listeners = [...this.listeners]
    this.listeners.clear()
    for (const listener of listeners) listener()
  }
}

/** Calls `listener` when the signal is aborted. */
export function joinSignal(signal: AbortSignal, listener: () => void): void {
  let hub = hubs.get(signal)
  if (hub === undefined) hubs.set(signal, (hub = new SignalHub()))
  if (hub.listeners.size === 0) signal.addEventListener('abort', hub.onAbort, { once: true })
  hub.listeners.add(listener)
}

/** Removes a listener, and with the last one the listener on the signal. */
export function leaveSignal(signal: AbortSignal, listener: () => void): void {
  const hub = hubs.get(signal)
  if (hub?.listeners.delete(listener) === true && hub.listeners.size === 0) signal.removeEventListener('abort', hub.onAbort)
}
