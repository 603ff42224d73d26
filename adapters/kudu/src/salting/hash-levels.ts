// Tested by catalogs.test.ts.
import type { HashLevel, KuduTable } from '@rowkey/kudu-client'
import type { SchemaColumn, TableSchema } from 'rowkey/adapter'
import { saltingOf } from './salting.js'

/** The salt of a model as hash levels of its table. */
export const hashLevels = ({ salt, columns, layout }: TableSchema): readonly HashLevel[] =>
  salt.map(({ count, seed = 0 }, i) => ({
    columns: (layout.salts[i]?.columns ?? []).map((position) => (columns[position] as SchemaColumn).physical),
    buckets: count,
    ...(seed === 0 ? {} : { seed }),
  }))

/** Hash levels of another table would put rows into other tablets than those that are searched. */
export function hashDifference(schema: TableSchema, { hash, columns, customRanges }: KuduTable): readonly string[] {
  const salting = saltingOf(schema)
  if (salting !== 'none' && customRanges.length > 0)
    return ['some of its ranges have hash levels of their own, in which the salt of the model finds no rows; use another name or prefix']
  if (salting !== 'hash') return []
  const textOfLevels = (levels: readonly HashLevel[]): string =>
    levels
      .map(
        ({ columns: names, buckets, seed = 0 }) => `HASH (${names.join(', ')}) PARTITIONS ${buckets}${seed === 0 ? '' : ` SEED ${seed}`}`,
      )
      .join(', ')
  const has = textOfLevels(
    hash.map(({ columns: at, buckets, seed }) => ({ columns: at.map((i) => columns[i]?.name ?? ''), buckets, seed })),
  )
  const need = textOfLevels(hashLevels(schema))
  return has === need
    ? []
    : [`it is partitioned by ${has === '' ? 'no hash' : has}, but the salt of the model is ${need}; use another name or prefix`]
}
