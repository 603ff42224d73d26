export { lmdb, type LmdbAdapter } from './adapter.js'
export type { LmdbAddress } from './locate.js'
export type { LmdbOptions } from './options.js'
