import type { Script } from '../client/commands.js'
import { sameTable, script } from './script.js'

/**
 * Members of a shard by rank. KEYS index, values. ARGV id of the table, ranks from 1. Returns the number of rows, and the members. Rank 0 is
 * the empty member, which is no row.
 */
export const ranksScript: Script = script(`${sameTable('ARGV[1]')}
if redis.call('ZCARD', KEYS[1]) ~= redis.call('HLEN', KEYS[2]) then return 'torn' end
local members = {}
for i = 2, #ARGV do members[i - 1] = redis.call('ZRANGE', KEYS[1], ARGV[i], ARGV[i])[1] or '' end
return {redis.call('ZCARD', KEYS[1]) - 1, members}`)
