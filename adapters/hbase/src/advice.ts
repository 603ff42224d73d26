import { designRules, findingsOf, typeFacts, type DesignCode, type Finding, type Rule, type TableSchema } from 'rowkey/adapter'
import { maxKeyColumns, type ProfileLimits } from './capabilities.js'
import { hbaseHints } from './options.js'

/** The code of a finding about a table in HBase. */
export type HBaseCode = 'one-region' | 'unsplit-buckets' | 'lindorm-key-bytes' | 'lindorm-key-columns' | DesignCode

const isSplit = (schema: TableSchema): boolean => hbaseHints(schema).splits !== undefined

/** Without a salt, rows that are written one after the other are next to each other if their keys are. */
const oneRegion: Rule<TableSchema, HBaseCode> = (schema) => {
  const { name, layout } = schema
  if (layout.buckets > 1 || isSplit(schema)) return []
  const message =
    `'${name}' begins as one region, so one server takes all reads and writes until it has grown by gigabytes and splits. If its keys count up, as ` +
    'times and numbers do, the last region takes all writes also after that.'
  const fix = 'Give the table a salt if its keys count up, otherwise stores: { hbase: { splits: [...] } } with rowkeys that cut it evenly.'
  return [{ code: 'one-region', severity: 'warning', message, fix }]
}

/** Buckets only spread load over servers if they are in several regions. */
const unsplitBuckets: Rule<TableSchema, HBaseCode> = (schema) => {
  const { name, layout } = schema
  if (layout.buckets === 1 || isSplit(schema)) return []
  const message = `'${name}' spreads its rows over ${layout.buckets} buckets, but begins as one region, so one server takes all of them until it splits.`
  const fix = `Add stores: { hbase: { splits: ${Math.min(layout.buckets, 16)} } }, or as many as there are servers.`
  return [{ code: 'unsplit-buckets', severity: 'warning', message, fix }]
}

/** A key of fixed parts that are longer together than a rowkey may be in Lindorm: no row can be written. */
const lindormKeyBytes =
  ({ rowkeyBytes }: ProfileLimits): Rule<TableSchema, HBaseCode> =>
  ({ name, columns, keyLength }) => {
    const fixed = columns.slice(0, keyLength).reduce((sum, { type }) => sum + fixedBytes(type), 0)
    if (fixed <= rowkeyBytes) return []
    const message = `Every key of '${name}' has at least ${fixed} bytes, and Lindorm takes keys of up to ${rowkeyBytes}, so no row can be written there.`
    return [{ code: 'lindorm-key-bytes', severity: 'warning', message, fix: 'Shorten the key columns of a fixed length.' }]
  }

const fixedBytes = (type: TableSchema['columns'][number]['type']): number => {
  const { storage } = typeFacts(type)
  if (storage.class === 'bytes') return storage.length ?? 0
  const { width } = type as { readonly width?: unknown }
  return typeof width === 'number' ? width : 0
}

/** The table exists in Lindorm all the same, with one key column: only who makes it in SQL is refused. */
const lindormKeyColumns: Rule<TableSchema, HBaseCode> = ({ name, keyLength }) => {
  if (keyLength <= maxKeyColumns) return []
  const message = `'${name}' has ${keyLength} key columns. Lindorm holds it, because the rowkey is one column there, but its SQL makes tables with at most ${maxKeyColumns}.`
  return [{ code: 'lindorm-key-columns', severity: 'info', message }]
}

/** What is likely to hurt in HBase, or in Lindorm. */
export const warningsOf = (schema: TableSchema, limits: ProfileLimits): readonly Finding<HBaseCode>[] => {
  const lindorm = limits.isLindorm ? [lindormKeyBytes(limits), lindormKeyColumns] : []
  return findingsOf<TableSchema, HBaseCode>([oneRegion, unsplitBuckets, ...lindorm, ...designRules], schema)
}
