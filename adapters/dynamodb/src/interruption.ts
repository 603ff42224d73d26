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
  return { abortSignal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) }
}

const longestTimer = 2 ** 31 - 1

/** Whether nobody waits any more. */
export const isOver = ({ signal, deadline }: Interruptible): boolean =>
  signal?.aborted === true || (deadline !== undefined && Date.now() >= deadline)
