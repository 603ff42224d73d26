export { cassandra, type CassandraAdapter } from './adapter.js'
export type { CassandraAddress } from './locate.js'
export type { CassandraClient, CassandraOptions } from './options.js'
export { microsecondTimestamps, type TimestampPolicies } from './client/microseconds.js'
