import { findingText, schemaLines, type Definition, type Finding, type TableSchema } from 'rowkey/adapter'
import { warningsOf, type RedisCode } from './advice.js'
import { catalogKey, shardKeys, type ShardKeys } from './keys.js'
import { newPlacement, type Placement } from './shards/placement.js'

/** The keys of a table that does not exist yet. */
export interface TableKeys extends Placement {
  readonly catalog: string
  readonly shardKeys: readonly ShardKeys[]
}

/** The parts of a {@link KeyPlan}. */
export function tableKeys(table: string, { placed, shards }: Placement): TableKeys {
  return { placed, shards, catalog: catalogKey(table), shardKeys: Array.from({ length: shards }, (_, number) => shardKeys(table, number)) }
}

/**
 * What `ddl()` returns for a table. The statements are commands with the same effect as `ensureTable()` for a new table, which also
 * generates `<catalog>` and `<id>`.
 */
export type KeyPlan = Definition<readonly string[], RedisCode>

/** The commands that create a shard. The script `prepareScript` runs them. */
const firstOf = ({ index, values, expiries }: ShardKeys): readonly (readonly string[])[] => [
  ['HSET', values, '', '<id>'],
  ['ZADD', index, '0', ''],
  ['ZADD', expiries, '+inf', ''],
]

/** The keys of a new table. No I/O. */
export function keyPlan(schema: TableSchema, shards: number): KeyPlan {
  const keys = tableKeys(schema.name, newPlacement(schema, shards))
  const warnings = warningsOf(schema, keys)
  const statements = [['SET', keys.catalog, '<catalog>', 'NX'], ...keys.shardKeys.flatMap(firstOf)]
  return Object.freeze({ statements, text: textOf(schema, keys, warnings), warnings })
}

function textOf(schema: TableSchema, { placed, shards, catalog, shardKeys: all }: TableKeys, warnings: readonly Finding[]): string {
  const [first, last] = [all[0] as ShardKeys, all.at(-1) as ShardKeys]
  const range = shards === 1 ? first.name : `${first.name} to ${last.name}`
  const why =
    placed === 'bucket'
      ? shards === 1
        ? 'one shard, because the table has neither salt nor partition columns'
        : `a shard for each bucket of the salt: ${shards}`
      : `${shards} shards: murmur3(P) mod ${shards}, P = the bytes of salt and partition columns, which begin the rowkey`
  const pattern = (kind: string): string =>
    first.index.replace(`.${first.name}}`, `.${shards === 1 ? first.name : '<shard>'}}`).replace(/z$/, kind)
  return [
    `# ${schema.name}: ${why}`,
    `# <shard> is ${range}. The text in braces decides the slot of a cluster, so all keys of a shard are in one slot.`,
    `${catalog}  # string: the catalog as JSON, with the id of the table and the number of shards, which never changes`,
    `${pattern('z')}  # sorted set: rowkeys, all with score 0, so that they are sorted by bytes`,
    `${pattern('h')}  # hash: rowkey to record (MessagePack)`,
    `${pattern('x')}  # sorted set: rowkeys by the epoch milliseconds at which they expire${schema.expiryIndex < 0 ? '; rows of this table do not expire' : ''}`,
    '# Each hash has the id of the table in its empty field, and each sorted set has the empty member. They show that a shard is complete.',
    '# What the catalog contains:',
    ...schemaLines(schema).map((line) => `#   ${line}`),
    ...warnings.map((warning) => `# Warning: ${findingText(warning)}`),
    '',
  ].join('\n')
}
