import { designRules, findingsOf, type DesignCode, type Finding, type Rule, type TableSchema } from '@rowkey/store/adapter'
import { hbaseHints } from './options.js'

/** The code of a finding about a table in HBase. */
export type HBaseCode = 'one-region' | 'unsplit-buckets' | DesignCode

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

/** What is likely to hurt in HBase. */
export const warningsOf = (schema: TableSchema): readonly Finding<HBaseCode>[] =>
  findingsOf<TableSchema, HBaseCode>([oneRegion, unsplitBuckets, ...designRules], schema)
