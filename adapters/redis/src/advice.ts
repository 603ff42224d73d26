import { designRules, findingsOf, type DesignCode, type Finding, type Rule, type TableSchema } from 'rowkey/adapter'
import type { Placement } from './shards/placement.js'

/** The code of a finding about a table in Redis. */
export type RedisCode = 'one-shard' | 'few-shards' | 'shared-shards' | DesignCode

/** A table, and how it is spread over shards. */
interface Subject extends Placement {
  readonly schema: TableSchema
}

/** A shard is one hash, and a hash is on one node. */
const oneShard: Rule<Subject, RedisCode> = ({ schema, shards }) => {
  if (shards !== 1) return []
  const message = `All rows of '${schema.name}' are in one shard, which is one hash in one slot of a cluster. One node does all its work.`
  return [{ code: 'one-shard', severity: 'warning', message, fix: 'Add partition columns or a salt if the table grows.' }]
}

/** A scan asks every shard that has a bucket of it. */
const sharedShards: Rule<Subject, RedisCode> = ({ schema, placed, shards }) => {
  if (placed !== 'murmur3' || schema.partitionLength > 0) return []
  const message = `${schema.layout.buckets} buckets share ${shards} shards by hash, because a table has at most 256 shards by bucket.`
  return [{ code: 'shared-shards', severity: 'info', message, fix: 'With a salt of 256 or less, scans send fewer requests.' }]
}

/** Slots are dealt to nodes by hash, so a few shards are not spread evenly. */
const fewShards: Rule<Subject, RedisCode> = ({ placed, shards }) => {
  if (placed !== 'bucket' || shards === 1 || shards >= 16) return []
  const message = `${shards} shards can use at most ${shards} nodes of a cluster, and not evenly.`
  return [{ code: 'few-shards', severity: 'warning', message, fix: 'Use a salt of 16 or more if the table needs more nodes.' }]
}

const design = designRules.map(
  (rule): Rule<Subject, RedisCode> =>
    ({ schema }) =>
      rule(schema),
)

/** What is likely to hurt in Redis. */
export const warningsOf = (schema: TableSchema, { placed, shards }: Placement): readonly Finding<RedisCode>[] =>
  findingsOf<Subject, RedisCode>([oneShard, sharedShards, fewShards, ...design], { schema, placed, shards })
