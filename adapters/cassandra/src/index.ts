export { cassandra, type CassandraAdapter } from './adapter.js'
export type { CassandraAddress } from './locate.js'
export type { CassandraOptions } from './options.js'
export { microsecondTimestamps, type TimestampPolicies } from './client/microseconds.js'
