import { checkForStore, knownStores, type StoreWithDdl } from 'rowkey/adapter'
import { capabilities } from './capabilities.js'
import { keyPlan, type KeyPlan } from './ddl.js'
import { checkOptions, type RedisOptions } from './options.js'
import { opening } from './url.js'

/**
 * Redis without a client: what it can do and accepts, and the keys of a table in it.
 *
 * @example
 * ```ts
 * redisStore.ddl(Orders, { shards: 128 }).text // # orders: 128 shards: …
 * ```
 */
export const redisStore: StoreWithDdl<RedisOptions, KeyPlan> = Object.freeze({
  name: 'redis',
  capabilities,
  facts: knownStores.redis,
  opening,
  ddl(schema, options = {}) {
    const { shards } = checkOptions(options)
    checkForStore(redisStore, schema)
    return keyPlan(schema, shards)
  },
} satisfies StoreWithDdl<RedisOptions, KeyPlan>)
