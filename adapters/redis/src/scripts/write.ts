// Tested by conformance.test.ts.
import type { Script } from '../client/commands.js'
import { inPortions, max, recordHead, sameTable, script, soundIndex } from './script.js'

/**
 * Puts without conditions. KEYS index, values, and expiries if rows of the table can expire. ARGV '1' if sent before, id, then key and
 * record of each row, then, with three KEYS, the expiry of each row ('' = none).
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
for at = 3, 2 + 2 * rows, ${max} do
  redis.call('HSET', KEYS[2], unpack(ARGV, at, math.min(at + ${max - 1}, 2 + 2 * rows)))
end
each('ZADD', KEYS[1], scored)
each('ZADD', KEYS[3], expiring)
each('ZREM', KEYS[3], lasting)
return 'done'`)

/** Arguments for each mutation: kind, key, record, expiry, condition, now. */
const mutationWidth = 6

/**
 * The name of a mutation in the script, which includes its condition: none, the row does not exist, it has this version, there is no record
 * (create), or the record still has these bytes (replace, remove).
 */
export type MutationKind = 'put' | 'delete' | 'insert' | 'putVersion' | 'deleteVersion' | 'create' | 'replace' | 'remove'

/** What the script returns for one mutation. stale: the record has changed; unreadable: expiry and version of the record cannot be read. */
export type MutationResult = 'applied' | 'conflict' | 'missing' | 'stale' | 'unreadable'

/** Its letters in the reply. */
const results: Readonly<Record<string, MutationResult>> = { a: 'applied', c: 'conflict', m: 'missing', s: 'stale', x: 'unreadable' }

/** The letters that each mutation can have. */
const possible: Readonly<Record<MutationKind, string>> = {
  put: 'a',
  delete: 'a',
  insert: 'acx',
  putVersion: 'acmx',
  deleteVersion: 'acmx',
  create: 'as',
  replace: 'as',
  remove: 'as',
}

/** What a letter in the reply says about a mutation; undefined for one that it cannot have. */
export const resultOfLetter = (kind: MutationKind, letter: string): MutationResult | undefined =>
  possible[kind].includes(letter) ? results[letter] : undefined

/**
 * Mutations of different rows of one shard. All conditions are checked before the first write, so the script cannot stop between two
 * writes.
 *
 * KEYS as in `put`. ARGV '1' if sent before, id, 'all' (or none) or 'each', then six for each mutation. Returns one letter for
 * each, see {@link resultOfLetter}. If there is only one and it is a conflict, it also returns the existing record.
 */
export const mutateScript: Script = script(`
if ARGV[1] == '1' then return 'resent' end${sameTable('ARGV[2]')}${soundIndex}${recordHead}${inPortions()}
local function judge(kind, condition, now, record)
  if not record then return kind == 'insert' and 'a' or 'm' end
  local sound, expiry, version = pcall(head, record, now ~= '')
  if not sound then return 'x' end
  local lives = now == '' or not expiry or expiry > tonumber(now)
  if kind == 'insert' then return lives and 'c' or 'a' end
  if not lives then return 'm' end
  return version == condition and 'a' or 'c'
end
local codes, current, applied = {}, nil, true
local count = (#ARGV - 3) / ${mutationWidth}
for i = 1, count do
  local at = ${mutationWidth} * (i - 1) + 4
  local kind, code = ARGV[at], 'a'
  if kind ~= 'put' and kind ~= 'delete' then
    local record = redis.call('HGET', KEYS[2], ARGV[at + 1])
    if kind == 'create' then
      if record then code = 's' end
    elseif kind == 'replace' or kind == 'remove' then
      if record ~= ARGV[at + 4] then code = 's' end
    else
      code = judge(kind, ARGV[at + 4], ARGV[at + 5], record)
    end
    if code == 'c' and count == 1 then current = record end
  end
  if code ~= 'a' then applied = false end
  codes[i] = code
end
if applied or ARGV[3] == 'each' then
  local stored, scored, removed, expiring, lasting = {}, {}, {}, {}, {}
  for i = 1, count do
    local at = ${mutationWidth} * (i - 1) + 4
    local kind, key, expiry = ARGV[at], ARGV[at + 1], ARGV[at + 3]
    if codes[i] == 'a' then
      if kind == 'delete' or kind == 'deleteVersion' or kind == 'remove' then
        removed[#removed + 1] = key
      else
        stored[#stored + 1] = key
        stored[#stored + 1] = ARGV[at + 2]
        scored[#scored + 1] = 0
        scored[#scored + 1] = key
        if expiry == '' then
          lasting[#lasting + 1] = key
        else
          expiring[#expiring + 1] = expiry
          expiring[#expiring + 1] = key
        end
      end
    end
  end
  each('HSET', KEYS[2], stored)
  each('ZADD', KEYS[1], scored)
  each('HDEL', KEYS[2], removed)
  each('ZREM', KEYS[1], removed)
  if KEYS[3] then
    each('ZREM', KEYS[3], removed)
    each('ZREM', KEYS[3], lasting)
    each('ZADD', KEYS[3], expiring)
  end
end
codes = table.concat(codes)
return current and {codes, current} or codes`)
