export { lmdb, type LmdbOptions } from './adapter.js'
export type { LmdbErrorDetails } from './errors.js'
