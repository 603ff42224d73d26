import { schemaLines, type Definition, type TableSchema } from '@rowkey/store/adapter'
import { catalogKey, shardKeys, type ShardKeys } from './keys.js'
import { newPlacement, type Placement } from './shards/placement.js'

/** The keys of a table that is to be made. */
export interface TableKeys extends Placement {
  readonly catalog: string
  readonly shardKeys: readonly ShardKeys[]
}

/** What a key plan is made of; see {@link KeyPlan}. */
export function tableKeys(table: string, { placed, shards }: Placement): TableKeys {
  return { placed, shards, catalog: catalogKey(table), shardKeys: Array.from({ length: shards }, (_, number) => shardKeys(table, number)) }
}

/**
 * What `ddl()` says of a table. The statements are commands, which `ensureTable()` has the effect of for a table that is not there; `<catalog>`
 * and `<id>` are made then.
 */
export type KeyPlan = Definition<readonly string[]>

/** The commands with which a shard begins: see `prepare` among the scripts, which runs them. */
const firstOf = ({ index, values, expiries }: ShardKeys): readonly (readonly string[])[] => [
  ['HSET', values, '', '<id>'],
  ['ZADD', index, '0', ''],
  ['ZADD', expiries, '+inf', ''],
]

/** The keys that a new table gets. No I/O. */
export function keyPlan(schema: TableSchema, shards: number): KeyPlan {
  const keys = tableKeys(schema.name, newPlacement(schema, shards))
  const warnings = warningsOf(schema, keys)
  const statements = [['SET', keys.catalog, '<catalog>', 'NX'], ...keys.shardKeys.flatMap(firstOf)]
  return Object.freeze({ statements, text: textOf(schema, keys, warnings), warnings })
}

function warningsOf(schema: TableSchema, { placed, shards }: TableKeys): readonly string[] {
  const { buckets } = schema.layout
  const warnings = []
  if (shards === 1) {
    warnings.push(
      `all rows of '${schema.name}' are in one shard: one slot, so one node of a cluster does all its work, and one hash holds all its rows. ` +
        'Give it partition columns or a salt if it grows.',
    )
  }
  if (placed === 'murmur3' && schema.partitionLength === 0) {
    warnings.push(
      `${buckets} buckets share ${shards} shards by hash: more than 256 keys of each kind help nobody. A salt of 256 or less is read in fewer requests.`,
    )
  } else if (placed === 'bucket' && shards > 1 && shards < 16) {
    warnings.push(
      `${shards} shards can use ${shards} nodes of a cluster at most, and not evenly. Give it a salt of 16 or more if it needs them.`,
    )
  }
  return warnings
}

function textOf(schema: TableSchema, { placed, shards, catalog, shardKeys: all }: TableKeys, warnings: readonly string[]): string {
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
    `# <shard> is ${range}. What is in braces decides the slot of a cluster: all keys of a shard are in one.`,
    `${catalog}  # string: the catalog as JSON, with the id of the table and the number of shards, which never changes`,
    `${pattern('z')}  # sorted set: rowkeys, all with score 0, so that they are in the order of their bytes`,
    `${pattern('h')}  # hash: rowkey to record (MessagePack)`,
    `${pattern('x')}  # sorted set: rowkeys by the epoch milliseconds at which they expire${schema.expiryIndex < 0 ? '; rows of this table do not' : ''}`,
    '# The empty field of each hash holds the id of the table, and each sorted set has the empty member: they show that a shard is whole.',
    '# What the catalog says of the table:',
    ...schemaLines(schema).map((line) => `#   ${line}`),
    ...warnings.map((warning) => `# Warning: ${warning}`),
    '',
  ].join('\n')
}
