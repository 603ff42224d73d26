import { RowkeyError, show, type TableSchema } from '@rowkey/store'

// What a model may say of its table here: defineTable('logs', { …, stores: { cassandra: { compaction: 'TimeWindow' } } }).

const compactions = ['SizeTiered', 'Leveled', 'TimeWindow', 'Unified']

/** The options of a CREATE TABLE that a model asks for. @throws RowkeyError `INVALID_OPTION` */
export function tableOptions({ name, stores }: TableSchema): readonly string[] {
  const hints = stores['cassandra'] ?? {}
  const refuse = (option: string, value: unknown, remedy: string): RowkeyError =>
    new RowkeyError('INVALID_OPTION', `table '${name}': stores.cassandra.${option} cannot be ${show(value)}. ${remedy}`, {
      option: `stores.cassandra.${option}`,
      value: show(value),
    })
  if (typeof hints !== 'object' || Array.isArray(hints)) throw refuse('', hints, 'Give an object.')
  return Object.entries(hints as Record<string, unknown>).map(([option, value]) => {
    if (option === 'compaction') {
      if (typeof value !== 'string' || !compactions.includes(value)) throw refuse(option, value, `Give one of ${compactions.join(', ')}.`)
      return `compaction = {'class': '${value}CompactionStrategy'}`
    }
    if (option === 'gcGraceSeconds') {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 2 ** 31 - 1) {
        throw refuse(option, value, 'Give a number of seconds.')
      }
      return `gc_grace_seconds = ${value}`
    }
    throw refuse(option, value, `There are 'compaction' and 'gcGraceSeconds'.`)
  })
}
