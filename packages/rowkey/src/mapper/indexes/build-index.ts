// Tested by packages/rowkey/test/mapper/verify-index.test.ts.
import { isRowkeyError, RowkeyError } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import { inTime, tableNotFound, type IndexState } from '#store/adapter'
import { readCheckpoint, withIndexState, writeCheckpoint } from '#store/engine'
import { cancelRules, type CancelOptions } from '../call/cancellation.js'
import { checkOptions, isFunction, isParallel } from '../call/check-options.js'
import { tell, type Observer } from '../call/observer.js'
import { isCursor } from '../scan/scan-options.js'
import type { TableHandle } from '../table/table-handle.js'
import { eachBatch } from './each-batch.js'

/** How far a build is. */
export interface BuildProgress {
  /** Rows that were read by this call. */
  readonly rows: number
  /** Where another call can go on. */
  readonly checkpoint: string
}

/** Options of `db.buildIndex()`. */
export interface BuildIndexOptions extends CancelOptions {
  /** Where an earlier call was. Default: the start. */
  checkpoint?: string
  /** Parts of the table that are read at a time; default 1, at most 16. */
  parallel?: number
  /** Called after each batch of rows. The build does not wait for it; what it throws goes to `console.error`. */
  onProgress?: (progress: BuildProgress) => unknown
}

/** Puts the entries of all rows, and makes the index readable. Returns how many rows it has read. */
export async function buildIndex(handle: TableHandle, index: TableIndex, options: BuildIndexOptions): Promise<number> {
  checkOptions('buildIndex()', options, { checkpoint: isCursor, parallel: isParallel, onProgress: isFunction, ...cancelRules })
  const { mapper, schema } = handle
  const { name: adapter } = mapper.adapter
  const cancellation = handle.cancellation(options, 'buildIndex')
  cancellation?.throwIfOver()
  const { checkpoint, parallel } = options
  const begin = checkpoint === undefined ? undefined : readCheckpoint(schema, adapter, await mapper.seal.verify(checkpoint, 'checkpoint'))
  await handle.mustHave(index, cancellation)
  const entries = handle.entries(index)
  let rows = 0
  await eachBatch(
    handle,
    { parallel, cancellation },
    async (batch, position) => {
      await mapper.sender.enter([entries], index, batch, schema, { attempts: mapper.attempts, now: mapper.clock(), cancellation })
      rows += batch.length
      const told = options.onProgress as Observer<BuildProgress> | undefined
      if (told === undefined || position === undefined) return
      tell('onProgress', told, { rows, checkpoint: await mapper.seal.sign(writeCheckpoint(schema, adapter, position)) })
    },
    begin,
  )
  await setState(handle, index, 'readable')
  return rows
}

/** Drops the entries for good. Programs whose models still have the index go on without them. */
export async function dropIndex(handle: TableHandle, index: TableIndex, options: CancelOptions): Promise<void> {
  checkOptions('dropIndex()', options, cancelRules)
  const cancellation = handle.cancellation(options, 'dropIndex')
  cancellation?.throwIfOver()
  await setState(handle, index, 'dropped')
  await inTime(cancellation, handle.mapper.adapter.dropTable(index.schema.name, { cancellation }))
}

/** Of a table that is not that of the index: an index is not changed, but replaced. Any other error is returned as it is. */
export function indexMismatch({ name: table }: TableSchema, { name, schema }: TableIndex, error: unknown): unknown {
  if (!isRowkeyError(error, 'SCHEMA_MISMATCH')) return error
  const { differences } = error.details as { readonly differences: readonly string[] }
  const message = [
    `index '${name}' of '${table}' has its entries in '${schema.name}', which is another table:`,
    ...differences.map((each) => `  - ${each}.`),
    'An index is replaced, not changed: declare the new one under another name next to it, call buildIndex(), and then dropIndex() of the old one.',
  ]
  return new RowkeyError('SCHEMA_MISMATCH', message, { table: schema.name, differences }, { cause: error })
}

async function setState(handle: TableHandle, index: TableIndex, state: IndexState): Promise<void> {
  const { mapper, schema, name } = handle
  if ((await mapper.adapter.describeTable(name)) === undefined) throw tableNotFound(name)
  await mapper.adapter.ensureTable(withIndexState(schema, index.name, state), { clock: mapper.clock })
  handle.forget()
}
