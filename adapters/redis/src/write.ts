import type { Mutation, Outcome, WriteOptions } from '@rowkey/store'
import { unprocessed } from './outcomes.js'
import { prepare, type TableOf } from './prepare.js'
import { writeAll } from './write-all.js'
import { writeEach } from './write-each.js'

/** What became of each mutation of a batch. When nobody waits any more, what is under way is unknown. */
export function write(batch: readonly Mutation[], tableOf: TableOf, options: WriteOptions): Promise<readonly Outcome[]> {
  const { cancellation } = options
  if (cancellation?.isOver === true) return Promise.resolve(batch.map(() => unprocessed))
  const prepared = prepare(batch, tableOf, options.now)
  const outcomes: Outcome[] = []
  const work =
    options.atomic === undefined
      ? writeEach(prepared, options, (i, outcome) => (outcomes[i] = outcome)).then(() => outcomes)
      : writeAll(prepared, options)
  if (cancellation === undefined) return work
  return cancellation.race(work).catch(async (error: unknown) => {
    if (!cancellation.isOver) throw error
    await new Promise((resolve) => setImmediate(resolve)) // what was not sent says so now
    const known = batch.map((_, i): Outcome => outcomes[i] ?? { kind: 'unknown', cause: undefined })
    return Promise.race([work, Promise.resolve(known)])
  })
}
