// Tested by ddl.test.ts.
import { designRules, findingsOf, showNames, type DesignCode, type Finding, type Rule, type TableSchema } from 'rowkey/adapter'

/** The code of a finding about a table in Cassandra. */
export type CassandraCode = 'one-partition' | 'few-partitions' | 'lightweight-transactions' | 'null-tombstones' | DesignCode

/** What operators of Cassandra keep a partition below. */
const maxPartitionRows = 100_000
/** The rate at which findings say how long that takes. */
const rowsPerSecond = 10
const secondsPerDay = 86_400

/** A partition is on the replicas of one token, whatever its size. */
const onePartition: Rule<TableSchema, CassandraCode> = (schema) => {
  if (schema.salt.length > 0 || schema.partitionLength > 0) return []
  const message =
    `All rows of '${schema.name}' are in one partition, so they are all on the same replicas. ` +
    'Partitions should stay below 100 MB and 100,000 rows.'
  return [{ code: 'one-partition', severity: 'warning', message, fix: `Give the table a partition column or a salt. ${byId(schema)}` }]
}

/** Without partition columns there are as many partitions as buckets, and each grows with the table. */
const fewPartitions: Rule<TableSchema, CassandraCode> = (schema) => {
  const { name, salt, partitionLength, layout } = schema
  const days = Math.floor((layout.buckets * maxPartitionRows) / rowsPerSecond / secondsPerDay)
  if (salt.length === 0 || partitionLength > 0 || days >= 365) return []
  const message =
    `'${name}' has ${layout.buckets} partitions, one for each bucket, however many rows there are. At ${rowsPerSecond} rows per second each has ` +
    `100,000 rows after ${days < 1 ? 'less than a day' : `${days} day${days === 1 ? '' : 's'}`}, and partitions should stay below that.`
  const fix = `If rows are not deleted, give the table a partition column. ${byId(schema)}`
  return [{ code: 'few-partitions', severity: 'warning', message, fix }]
}

/** A conditional write is agreed between the replicas. */
const lightweightTransactions: Rule<TableSchema, CassandraCode> = ({ name, writes }) => {
  if (writes !== 'conditional') return []
  const message =
    `Every write of '${name}' is a lightweight transaction, even a put. It takes four round trips between the replicas, and the writes of one ` +
    'partition wait for each other.'
  const fix = "If puts and deletes are enough, declare it with writes: 'plain'."
  return [{ code: 'lightweight-transactions', severity: 'info', message, fix }]
}

/** From so many nullable columns on, a read of 1,000 rows may pass over half of the tombstones at which a server refuses it. */
const manyNullable = 50

/** A plain put deletes the row first, which is one tombstone. A transaction cannot do both. */
const nullTombstones: Rule<TableSchema, CassandraCode> = ({ name, writes, columns, keyLength }) => {
  const nullable = columns.slice(keyLength).filter(({ type, role }) => type.nullable && role === 'value').length
  if (writes === 'plain' || nullable < manyNullable) return []
  const message =
    `A put of '${name}' writes a tombstone for each of its ${nullable} nullable columns that is null, because it is a lightweight transaction. Reads ` +
    'pass over all of them, so they read fewer rows at a time.'
  const fix =
    "If puts and deletes are enough, declare it with writes: 'plain'. Or write new rows with insert() or putMany(rows, { nulls: 'unset' }), which write " +
    'none, or put columns that are seldom set into one json() column.'
  return [{ code: 'null-tombstones', severity: 'warning', message, fix }]
}

/** A table of rows that are only read by their whole key needs no order, and so a partition for each row. */
function byId({ columns, keyLength }: TableSchema): string {
  const names = showNames(
    columns.slice(0, keyLength).map(({ name }) => name),
    "'",
  )
  return `If its rows are read by their whole key only, declare partition: [${names}], key: [], without a salt: then each row is a partition.`
}

/** What is likely to hurt in Cassandra. */
export const warningsOf = (schema: TableSchema): readonly Finding<CassandraCode>[] =>
  findingsOf<TableSchema, CassandraCode>([onePartition, fewPartitions, lightweightTransactions, nullTombstones, ...designRules], schema)
