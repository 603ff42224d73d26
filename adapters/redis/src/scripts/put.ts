import type { Script } from '../commands.js'
import { most, sameTable, script } from './script.js'

/** Both sets are there and are sets: after that no command of a script can fail. */
export const soundIndex = `
if not redis.call('ZSCORE', KEYS[1], '') or (KEYS[3] and not redis.call('ZSCORE', KEYS[3], '')) then return 'torn' end`

/** A command with a list of arguments of any length. Portions are even, so pairs stay together. */
export const inPortions = (): string => `
local function each(command, key, list)
  for at = 1, #list, ${most} do redis.call(command, key, unpack(list, at, math.min(at + ${most - 1}, #list))) end
end`

/**
 * Rows without conditions. KEYS index, values, and expiries where the table has them. ARGV '1' if sent before, id, then key and record of each
 * row, then, if there are three keys, the expiry of each, '' for none.
 */
export const putScript: Script = script(`
if ARGV[1] == '1' then return 'resent' end${sameTable('ARGV[2]')}${soundIndex}${inPortions()}
local rows = KEYS[3] and (#ARGV - 2) / 3 or (#ARGV - 2) / 2
local scored, expiring, lasting = {}, {}, {}
for i = 1, rows do
  local key = ARGV[2 * i + 1]
  scored[2 * i - 1] = 0
  scored[2 * i] = key
  if KEYS[3] then
    local expiry = ARGV[2 + 2 * rows + i]
    if expiry == '' then
      lasting[#lasting + 1] = key
    else
      expiring[#expiring + 1] = expiry
      expiring[#expiring + 1] = key
    end
  end
end
for at = 3, 2 + 2 * rows, ${most} do
  redis.call('HSET', KEYS[2], unpack(ARGV, at, math.min(at + ${most - 1}, 2 + 2 * rows)))
end
each('ZADD', KEYS[1], scored)
each('ZADD', KEYS[3], expiring)
each('ZREM', KEYS[3], lasting)
return 'done'`)
