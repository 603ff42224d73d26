export { lmdb, type LmdbAdapter } from './adapter.js'
export { lmdbStore } from './description.js'
export type { LmdbAddress } from './locate.js'
export type { LmdbOptions } from './options.js'
