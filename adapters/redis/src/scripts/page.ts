import type { Script } from '../client/commands.js'
import { max, sameTable, script } from './script.js'

/**
 * One page of a shard: members between two bounds and their values.
 *
 * KEYS index, values. ARGV id of the table, low, high, '1' for reverse, max rows, max bytes. Returns members, values (nil if one is
 * missing), and 1 if it stopped because of the bytes. It reads values in portions, so that it does not read large values that it drops.
 */
export const pageScript: Script = script(`${sameTable('ARGV[1]')}
if redis.call('ZCARD', KEYS[1]) ~= redis.call('HLEN', KEYS[2]) then return 'torn' end
local members
if ARGV[4] == '1' then
  members = redis.call('ZRANGE', KEYS[1], ARGV[3], ARGV[2], 'BYLEX', 'REV', 'LIMIT', 0, ARGV[5])
else
  members = redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[3], 'BYLEX', 'LIMIT', 0, ARGV[5])
end
local count, room, bytes, read, portion = #members, tonumber(ARGV[6]), 0, 0, 32
local values = {}
while read < count and bytes < room do
  local last = math.min(read + portion, count)
  local found = redis.call('HMGET', KEYS[2], unpack(members, read + 1, last))
  for i = 1, #found do
    local value = found[i]
    values[read + i] = value
    bytes = bytes + #members[read + i] + (value and #value or 0)
  end
  read = last
  portion = math.max(1, math.min(${max}, math.floor((room - bytes) * read / bytes)))
end
for i = count, read + 1, -1 do members[i] = nil end
return {members, values, read < count and 1 or 0}`)
