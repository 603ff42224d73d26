export { lmdb, type LmdbAdapter, type LmdbAddress } from './adapter.js'
export type { LmdbOptions } from './options.js'
export type { LmdbErrorDetails } from './errors.js'
