/** What ends a call before its answer. */
export interface Interruptible {
  readonly signal?: AbortSignal
  /** Epoch ms by the system's clock. */
  readonly deadline?: number
}

/** The options of a request that ends with the signal or the deadline; undefined where there is neither. */
export function requestOptions({ signal, deadline }: Interruptible): { readonly abortSignal: AbortSignal } | undefined {
  if (deadline === undefined) return signal === undefined ? undefined : { abortSignal: signal }
  const timeout = AbortSignal.timeout(Math.min(Math.max(0, deadline - Date.now()), longestTimer))
  if (signal === undefined) return { abortSignal: timeout }
  const either = AbortSignal.any([signal, timeout])
  sources.set(either, [signal, timeout])
  return { abortSignal: either }
}

/** Held for as long as the signal that follows them, which does not: a time-out that is collected before it is over never comes. */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>()

const longestTimer = 2 ** 31 - 1

/** Whether nobody waits any more. */
export const isOver = ({ signal, deadline }: Interruptible): boolean =>
  signal?.aborted === true || (deadline !== undefined && Date.now() >= deadline)
