import { designRules, findingsOf, type DesignCode, type Finding, type Rule, type TableSchema } from 'rowkey/adapter'

/** The code of a finding about a table in DynamoDB. */
export type DynamoDBCode = 'one-partition' | DesignCode

/** The service limits what one partition key takes, whatever the table may use. */
const onePartition: Rule<TableSchema, DynamoDBCode> = ({ name, partitionLength, layout }) => {
  if (partitionLength > 0 || layout.buckets > 1) return []
  const message =
    `All rows of '${name}' have the same partition key, and DynamoDB limits a partition key to 1,000 write units and 3,000 read units per ` +
    'second.'
  return [{ code: 'one-partition', severity: 'warning', message, fix: 'Add a salt or partition columns if the table needs more.' }]
}

/** What is likely to hurt in DynamoDB. */
export const warningsOf = (schema: TableSchema): readonly Finding<DynamoDBCode>[] =>
  findingsOf<TableSchema, DynamoDBCode>([onePartition, ...designRules], schema)
