import { inTime, isPromise, type ReadOptions } from '#store/adapter'
import { splitTable, writeCheckpoint } from '#store/engine'
import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import { cancelRules, type CancelOptions } from '../call/cancellation.js'
import { checkOptions } from '../call/check-options.js'
import type { TableHandle } from '../table/table-handle.js'

/** More would only make more and smaller reads. */
const maxParts = 1024

/** Checkpoints of up to `count` parts of a table. @throws RowkeyError `INVALID_OPTION` */
export async function partsOf(handle: TableHandle, count: number, options: CancelOptions): Promise<string[]> {
  const { mapper, schema } = handle
  checkOptions('parts()', options, cancelRules)
  if (!(Number.isSafeInteger(count) && count >= 1 && count <= maxParts)) {
    const message = `parts() cannot return ${show(count)} parts. Give a whole number from 1 to ${maxParts}.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'count', value: show(count) })
  }
  const cancellation = handle.cancellation(options, 'parts')
  cancellation?.throwIfOver()
  const read: ReadOptions = { consistency: 'strong', cancellation }
  const splitting = splitTable(schema, await handle.store(cancellation), count, read)
  const parts = isPromise(splitting) ? await inTime(cancellation, splitting) : splitting
  return Promise.all(parts.map((part) => mapper.seal.sign(writeCheckpoint(schema, mapper.adapter.name, [part]))))
}
