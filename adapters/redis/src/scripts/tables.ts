import type { Script } from '../client/commands.js'
import { script } from './script.js'

/**
 * Replaces a catalog. KEYS catalog. ARGV the expected value and the new value ('' = no key). Returns 1 if the key had the expected value.
 */
export const swapScript: Script = script(`
local found = redis.call('GET', KEYS[1])
if (found or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
return 1`)

/**
 * Prepares a shard for a table, unless that is done. KEYS index, values, expiries. ARGV id, the id of a table that certainly does not exist
 * any more ('' = none). Returns '' if the shard belongs to the table, else the id that it has.
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

/** The process that a server is, which no copy of its data has; '' if the server does not tell. KEYS one of the table. */
export const serverScript: Script = script(`
local info = redis.pcall('INFO', 'server')
return type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''`)

/** Removes a shard if it still belongs to this table. KEYS index, values, expiries. ARGV id. */
export const removeScript: Script = script(`
if redis.call('HGET', KEYS[2], '') ~= ARGV[1] then return 0 end
return redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])`)
