import type { WriteOptions } from '@rowkey/store'

/** Whether the caller has stopped waiting. */
export const isOver = ({ signal, deadline }: WriteOptions): boolean =>
  signal?.aborted === true || (deadline !== undefined && Date.now() >= deadline)
