// Tested by large.test.ts.
import type { Script } from '../client/commands.js'
import { conditionsOfRows, neededOfRecord } from './conditions.js'
import { max, sameTable, script } from './script.js'

/** The members of a page, `count` of them. */
const membersOfPage = `${sameTable('ARGV[1]')}
if redis.call('ZCARD', KEYS[1]) ~= redis.call('HLEN', KEYS[2]) then return 'torn' end
local members
if ARGV[4] == '1' then
  members = redis.call('ZRANGE', KEYS[1], ARGV[3], ARGV[2], 'BYLEX', 'REV', 'LIMIT', 0, ARGV[5])
else
  members = redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[3], 'BYLEX', 'LIMIT', 0, ARGV[5])
end
local count, room, bytes, read, portion = #members, tonumber(ARGV[6]), 0, 0, 32`

/** The size of the next portion, by that of the rows before. */
const nextPortion = `math.max(1, math.min(${max}, math.floor((room - bytes) * read / bytes)))`

/**
 * One page of a shard: members between two bounds and their values.
 *
 * KEYS index, values. ARGV id of the table, low, high, '1' for reverse, max rows, max bytes. Returns members, values (nil if one is
 * missing), and 1 if it stopped because of the bytes. It reads values in portions, so that it does not read large values that it drops.
 */
export const pageScript: Script = script(`${membersOfPage}
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
  portion = ${nextPortion}
end
for i = count, read + 1, -1 do members[i] = nil end
return {members, values, read < count and 1 or 0}`)

/**
 * One page of a shard, without the rows that fail conditions, and without what is not needed of the others.
 *
 * KEYS and ARGV as for {@link pageScript}, then the items that are needed, see {@link neededOfRecord}, and the conditions, see
 * {@link conditionsOfRows}. Returns members and values of the rows that pass, 1 if it stopped because of the bytes that it read, the number of
 * rows that it read, and the last member of these.
 */
export const filteredPageScript: Script = script(`${membersOfPage}${neededOfRecord()}${conditionsOfRows()}
local passed, values = {}, {}
while read < count and bytes < room do
  local last = math.min(read + portion, count)
  local found = redis.call('HMGET', KEYS[2], unpack(members, read + 1, last))
  for i = 1, #found do
    local value = found[i]
    bytes = bytes + #members[read + i] + (value and #value or 0)
    if not value or passes(value) then
      passed[#passed + 1] = members[read + i]
      values[#passed] = value and needed(value)
    end
  end
  read = last
  portion = ${nextPortion}
end
return {passed, values, read < count and 1 or 0, read, members[read] or false}`)
