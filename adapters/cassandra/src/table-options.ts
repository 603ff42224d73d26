import { hintsOf, type Hints, type TableSchema } from '@rowkey/store'

// What a model may say of its table here: defineTable('logs', { …, stores: { cassandra: { compaction: 'TimeWindow' } } }).

const compactions = ['SizeTiered', 'Leveled', 'TimeWindow', 'Unified']

export const name = 'cassandra'

export const hints: Hints = Object.freeze({
  compaction: { fits: (given) => compactions.some((known) => known === given), wants: `one of ${compactions.join(', ')}` },
  gcGraceSeconds: {
    fits: (given) => Number.isInteger(given) && (given as number) >= 0 && (given as number) <= 2 ** 31 - 1,
    wants: 'a number of seconds',
  },
} satisfies Hints)

/** The options of a CREATE TABLE that a model asks for. @throws RowkeyError `INVALID_OPTION` */
export function tableOptions(schema: TableSchema): readonly string[] {
  return Object.entries(hintsOf({ name, hints }, schema)).map(([option, value]) =>
    option === 'compaction' ? `compaction = {'class': '${String(value)}CompactionStrategy'}` : `gc_grace_seconds = ${String(value)}`,
  )
}
