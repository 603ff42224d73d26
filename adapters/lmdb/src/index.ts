export { lmdb, type LmdbAdapter } from './adapter.js'
export type { LmdbErrorDetails } from './errors.js'
export type { LmdbAddress } from './locate.js'
export type { LmdbOptions } from './options.js'
