import { isOver } from '@rowkey/store'
import type { Mutation, Outcome, WriteOptions } from '@rowkey/store'
import { bounded } from './interruption.js'
import { unprocessed } from './outcomes.js'
import { prepare, type TableOf } from './prepare.js'
import { writeAll } from './write-all.js'
import { writeEach } from './write-each.js'

/** What became of each mutation of a batch. After the deadline, what is under way is unknown. */
export function write(batch: readonly Mutation[], tableOf: TableOf, options: WriteOptions): Promise<readonly Outcome[]> {
  options.signal?.throwIfAborted()
  if (isOver(options)) return Promise.resolve(batch.map(() => unprocessed))
  const prepared = prepare(batch, tableOf, options.now)
  const outcomes: Outcome[] = []
  const late = (): readonly Outcome[] => batch.map((_, i) => outcomes[i] ?? { kind: 'unknown', cause: new Error('the deadline is over') })
  const work =
    options.atomic === undefined
      ? writeEach(prepared, options, (i, outcome) => (outcomes[i] = outcome)).then(() => outcomes)
      : writeAll(prepared, options)
  return bounded<readonly Outcome[]>(work, options, late)
}
