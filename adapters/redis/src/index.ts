export { redis, type RedisAdapter } from './adapter.js'
export type { KeyPlan } from './ddl.js'
export type { RedisAddress } from './locate.js'
export type { RedisClient, RedisOptions } from './options.js'
