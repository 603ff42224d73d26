import { createHash } from 'node:crypto'
import type { Script } from '../commands.js'

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
export const most = 4000
