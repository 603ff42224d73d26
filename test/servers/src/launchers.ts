import type { Launcher } from './server.js'
import { cassandra, type CassandraConnection } from './cassandra/cassandra.js'
import { dynalite } from './dynamodb/dynalite.js'
import { moto } from './dynamodb/moto.js'
import { ownDynamodb } from './dynamodb/own.js'
import type { DynamodbConnection } from './dynamodb/endpoint.js'
import { redisCluster, type RedisClusterConnection } from './redis/cluster.js'
import { redis, type RedisConnection } from './redis/redis.js'

/** What a client of each server needs. */
export interface Connections {
  readonly redis: RedisConnection
  readonly 'redis-cluster': RedisClusterConnection
  readonly dynalite: DynamodbConnection
  readonly moto: DynamodbConnection
  /** Only a server of the user's own. */
  readonly dynamodb: DynamodbConnection
  readonly cassandra: CassandraConnection
}

export type ServerName = keyof Connections

/** All there are. */
export const launchers: { readonly [Name in ServerName]: Launcher<Connections[Name]> } = {
  redis,
  'redis-cluster': redisCluster,
  dynalite,
  moto,
  dynamodb: ownDynamodb,
  cassandra,
}
