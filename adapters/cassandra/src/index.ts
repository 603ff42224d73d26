export { cassandra, type CassandraAdapter } from './adapter.js'
export type { CassandraErrorDetails } from './errors.js'
export type { CassandraAddress } from './locate.js'
export type { CassandraOptions } from './options.js'
