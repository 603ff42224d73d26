import type { TableSchema } from '#model'
import type { TableStore } from '../contract/adapter.js'
import type { MaybePromise, ReadOptions } from '../contract/reading.js'
import { utf8Length } from '#codec/internal'
import { storeError } from '../errors.js'
import { maxPartBytes } from '../query/checkpoint.js'
import { andThen } from './maybe-promise.js'

const whole: readonly string[] = Object.freeze([''])

/**
 * The store's own checkpoints of up to `count` parts of a table, which together are the table; '' = the start, if it is not split.
 *
 * @throws RowkeyError `ADAPTER_FAULT`
 */
export function splitTable(schema: TableSchema, store: TableStore, count: number, read: ReadOptions): MaybePromise<readonly string[]> {
  if (count === 1 || store.splits === undefined) return whole
  return andThen(store.splits(count, read), (splits) => checked(schema, count, splits))
}

/** Without any split, rows would silently be missing. With the same one twice, rows would come twice. */
function checked(schema: TableSchema, count: number, splits: readonly string[]): readonly string[] {
  const what = !Array.isArray(splits)
    ? 'no list of splits'
    : splits.length === 0 || splits.length > count
      ? `${splits.length} splits, and ${count} were requested`
      : new Set(splits).size < splits.length
        ? 'the same split twice'
        : splits.some((split) => typeof split !== 'string' || split === '' || utf8Length(split) > maxPartBytes)
          ? `a split that is not text of 1 to ${maxPartBytes} bytes`
          : undefined
  if (what === undefined) return splits
  throw storeError('ADAPTER_FAULT', `the adapter returned ${what}, for '${schema.name}'. This is a fault of the adapter.`, {
    table: schema.name,
    bucket: 0,
  })
}
