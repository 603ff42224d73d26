import type { Script } from '../client/commands.js'
import { recordHead, sameTable, script, soundIndex } from './script.js'

/**
 * Deletes rows of a shard that have expired. The index of expiries only says which records to read. The record has the real expiry:
 * a writer that does not know expiry leaves an old entry in the index, which is corrected here.
 *
 * KEYS index, values, expiries. ARGV id, now, max entries to examine. Returns the number of rows deleted, of entries examined, and of entries
 * that are left to examine.
 */
export const purgeScript: Script = script(`${sameTable('ARGV[1]')}${soundIndex}${recordHead}
local seen = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])
local deleted = 0
for _, key in ipairs(seen) do
  local record = redis.call('HGET', KEYS[2], key)
  local sound, expiry = true, nil
  if record then sound, expiry = pcall(head, record, true) end
  if sound and expiry and expiry > tonumber(ARGV[2]) then
    redis.call('ZADD', KEYS[3], string.format('%.0f', expiry), key)
  else
    redis.call('ZREM', KEYS[3], key)
    if sound and expiry then
      redis.call('HDEL', KEYS[2], key)
      redis.call('ZREM', KEYS[1], key)
      deleted = deleted + 1
    end
  end
end
return {deleted, #seen, redis.call('ZCOUNT', KEYS[3], '-inf', ARGV[2])}`)
