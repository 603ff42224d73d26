import type { ReadOptions, WriteOptions } from '@rowkey/store'

/** How a client is told to stop. */
export interface RequestHow {
  readonly abortSignal: AbortSignal
}

/**
 * Sends one request, which the client gives up when nobody waits for it any more. Each request has a signal of its own: the client adds a
 * listener for each of its attempts, and many requests on one signal would be many listeners.
 */
export function inRequest<T>(
  { cancellation }: Pick<ReadOptions | WriteOptions, 'cancellation'>,
  send: (how: RequestHow | undefined) => Promise<T>,
): Promise<T> {
  return cancellation === undefined ? send(undefined) : cancellation.withSignal((abortSignal) => send({ abortSignal }))
}
