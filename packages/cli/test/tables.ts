import { isRowkeyError } from 'rowkey/codec'
import { defineTable, type TableSchema } from 'rowkey'
import type { RandomLayout } from '../../rowkey/test/codec/random-layouts.js'

/** A table with the keys of a random layout; undefined for keys that no table may have. */
export function tableOf({ columns, salts }: RandomLayout): TableSchema | undefined {
  const named = Object.fromEntries(columns.map(({ type }, at) => [`c${at}`, type]))
  try {
    return defineTable('random', { columns: named, key: Object.keys(named) as never, salt: salts as never })
  } catch (error) {
    if (isRowkeyError(error, 'INVALID_SCHEMA')) return undefined
    throw error
  }
}
