// Tested by packages/rowkey/test/mapper/verify-index.test.ts.
import type { Row } from '#codec'
import type { Cancellation } from '#store/adapter'
import { fullScanPage, runFullScan } from '#store/engine'
import type { TableHandle } from '../table/table-handle.js'

/** How many parts of a table are read at a time, and until when. */
export interface Reading {
  readonly parallel: number | undefined
  readonly cancellation: Cancellation | undefined
}

/**
 * Uses all rows of a table that have not expired, some at a time.
 *
 * @param checkpoints where an earlier reading stopped
 */
export async function eachBatch(
  handle: TableHandle,
  { parallel, cancellation }: Reading,
  use: (rows: readonly Row[], position: readonly string[] | undefined) => Promise<void>,
  checkpoints?: readonly string[],
): Promise<void> {
  const run = runFullScan(handle.schema, () => handle.store(cancellation), {
    read: { consistency: 'strong', cancellation },
    clock: handle.mapper.clock,
    checkpoints,
    parallel,
  })
  try {
    for (;;) {
      const { rows, stop, position } = await run.take(fullScanPage, 1)
      if (stop === 'time') cancellation?.throwIfOver()
      if (rows.length > 0) await use(rows, position)
      if (stop === 'exhausted') return
    }
  } finally {
    run.close()
  }
}
