import { createHash } from 'node:crypto'
import type { Script } from '../client/commands.js'

/** A script and the hash that Redis knows it by. */
export const script = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') })

/** What a script answers instead of doing its work. */
export type Refusal = 'gone' | 'torn' | 'resent'

/**
 * Begins every script on a shard. Its hash holds the table's id under the empty name, which no row has: another id, or none, is another
 * table. Each set has the empty member, so that one that the server has lost is noticed, and no key of a shard is ever absent, which would
 * stop scripts while a cluster moves the slot.
 */
export const sameTable = (id: string): string => `
if redis.call('HGET', KEYS[2], '') ~= ${id} then return 'gone' end`

/** More values than this are not given to a command at once: Lua's stack ends between 7,000 and 9,000. */
export const max = 4000

/** Both sets are there and are sets: after that no command of a script can fail. */
export const soundIndex = `
if not redis.call('ZSCORE', KEYS[1], '') or (KEYS[3] and not redis.call('ZSCORE', KEYS[3], '')) then return 'torn' end`

/** A command with a list of arguments of any length. Portions are even, so pairs stay together. */
export const inPortions = (): string => `
local function each(command, key, list)
  for at = 1, #list, ${max} do redis.call(command, key, unpack(list, at, math.min(at + ${max - 1}, #list))) end
end`

/**
 * What a record says before its columns. See `docs/spec/stored-record.md` of the repository: a MessagePack list of format, expiry, version
 * and columns. It raises an error for bytes that are no such record, and for an expiry that is no time where the table has expiry.
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
