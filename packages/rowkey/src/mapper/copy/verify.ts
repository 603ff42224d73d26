// Tested by copy-table.test.ts.
import type { Row } from '#codec'
import { counted } from '#codec/internal'
import type { Cancellation } from '#store/adapter'
import { fullScanPage, runFullScan } from '#store/engine'
import { mapperError } from '../call/errors.js'
import type { TableHandle } from '../table/table-handle.js'
import { Collisions } from './collisions.js'
import type { CopiedRows } from './copied-rows.js'
import type { TableDigest } from './copy-options.js'
import { ExpiringDigest } from './expiring-digest.js'
import { Pace } from './pace.js'

/** What is compared, and how it is read. */
export interface Verification {
  readonly from: TableHandle
  readonly to: TableHandle
  readonly copied: CopiedRows
  readonly cancellation: Cancellation | undefined
  readonly parallel: number | undefined
  readonly rowsPerSecond: number | undefined
}

/**
 * Reads both tables again, concurrently, and compares what the rows of the source become with the rows of the target.
 *
 * @throws RowkeyError `COPY_COLLISION`, `COPY_MISMATCH`; the reason of the cancellation
 */
export async function verifyCopy(verification: Verification): Promise<TableDigest> {
  const { from, to, copied } = verification
  const now = (): number => Math.max(from.mapper.clock(), to.mapper.clock())
  const start = now()
  const [source, target] = [new ExpiringDigest(to.schema, start), new ExpiringDigest(to.schema, start)]
  await Promise.all([
    eachRow(from, verification, (row) => {
      const mutation = copied.mutation(row, start)
      if (mutation !== undefined) source.add(mutation.row)
    }),
    eachRow(to, verification, (row) => {
      target.add(row)
    }),
  ])
  const end = now()
  const [found, wanted] = [target.at(end), source.at(end)]
  if (found.rows === wanted.rows && found.digest === wanted.digest) return found
  // Fewer rows may mean that some became one, which no repetition can correct.
  if (found.rows < wanted.rows) await new Collisions(from, to, copied, verification.cancellation).search()
  const table = to.name
  const difference = found.rows === wanted.rows ? 'other values' : `${counted(found.rows, 'row')}, not ${wanted.rows}`
  throw mapperError(
    'COPY_MISMATCH',
    `'${table}' is not a copy of '${from.name}': it has ${difference}. If either was written during the copy, this is expected. Otherwise copy into an empty table, with a map that returns the same for the same row.`,
    { from: from.name, table, source: wanted, target: found },
  )
}

/** Reads all rows of a table that have not expired. */
async function eachRow(
  handle: TableHandle,
  { cancellation, parallel, rowsPerSecond }: Verification,
  use: (row: Row) => void,
): Promise<void> {
  const pace = new Pace(rowsPerSecond)
  const run = runFullScan(handle.schema, () => handle.store(cancellation), {
    read: { consistency: 'strong', cancellation },
    clock: handle.mapper.clock,
    checkpoints: undefined,
    parallel,
  })
  try {
    for (;;) {
      const { rows, stop } = await run.take(pace.portion(fullScanPage), 1)
      if (stop === 'time') cancellation?.throwIfOver()
      for (const row of rows) use(row)
      if (stop === 'exhausted') return
      await pace.spent(rows.length, cancellation)
    }
  } finally {
    run.close()
  }
}
