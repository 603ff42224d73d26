import type { Script } from '../client/commands.js'
import { script } from './script.js'

/** KEYS catalog. ARGV what it must hold now ('' = nothing), what it shall hold ('' = nothing). It answers 1 if it was so. */
export const swapScript: Script = script(`
local found = redis.call('GET', KEYS[1])
if (found or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
return 1`)

/**
 * Makes a shard ready for a table, unless it is. KEYS index, values, expiries. ARGV id, the id of a table that is known to be no more ('' =
 * none). It answers '' when the shard is the table's, else the id that it has.
 */
export const prepareScript: Script = script(`
local found = redis.call('HGET', KEYS[2], '')
if found == ARGV[1] then return '' end
if found and found ~= ARGV[2] then return found end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[2], '', ARGV[1])
redis.call('ZADD', KEYS[1], 0, '')
redis.call('ZADD', KEYS[3], '+inf', '')
return ''`)

/** Removes a shard if it is still this table's. KEYS index, values, expiries. ARGV id. */
export const removeScript: Script = script(`
if redis.call('HGET', KEYS[2], '') ~= ARGV[1] then return 0 end
return redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])`)
