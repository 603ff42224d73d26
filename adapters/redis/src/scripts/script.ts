import { createHash } from 'node:crypto'
import type { Script } from '../client/commands.js'

/** A script and the hash by which Redis finds it. */
export const script = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') })

/**
 * What a script returns if it does nothing. gone: the shard is not of this table; torn: one of its keys is missing; resent: sent before.
 */
export type Refusal = 'gone' | 'torn' | 'resent'

/**
 * The start of every script on a shard. The hash has the id of the table in the empty field, which is never a rowkey. With another id, or
 * none, it is another table. Each sorted set has the empty member. So a set that the server has lost is detected, and the keys of a shard
 * always exist: while a cluster moves a slot, it refuses scripts with missing keys.
 */
export const sameTable = (id: string): string => `
if redis.call('HGET', KEYS[2], '') ~= ${id} then return 'gone' end`

/** Max values that a script passes to one command: the stack of Lua ends between 7,000 and 9,000. */
export const max = 4000

/** Checks that both sets exist and are sorted sets. After that no command of a script can fail. */
export const soundIndex = `
if not redis.call('ZSCORE', KEYS[1], '') or (KEYS[3] and not redis.call('ZSCORE', KEYS[3], '')) then return 'torn' end`

/** Defines a function that calls a command with any number of arguments. Portions are even, so pairs stay together. */
export const inPortions = (): string => `
local function each(command, key, list)
  for at = 1, #list, ${max} do redis.call(command, key, unpack(list, at, math.min(at + ${max - 1}, #list))) end
end`

/**
 * Defines a function that reads the start of a record. See `docs/spec/stored-record.md` of the repository: a MessagePack list of format,
 * expiry, version and columns. It raises an error if the bytes are not such a record, or if the table has expiry and the expiry is not a
 * number.
 */
export const recordHead = `
local function head(record, expires)
  local first = string.byte(record, 1)
  local at, format, expiry, version = 0, nil, nil, nil
  if first == 0xdc then at = 3 elseif first and first >= 0x93 and first <= 0x9f then at = 1 else error('no list') end
  at, format = cmsgpack.unpack_one(record, at)
  if format ~= 1 then error('format') end
  at, expiry = cmsgpack.unpack_one(record, at)
  if expires and expiry and type(expiry) ~= 'number' then error('expiry') end
  at, version = cmsgpack.unpack_one(record, at)
  return expiry, version
end`
