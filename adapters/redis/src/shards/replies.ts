import { answerFault, show } from 'rowkey/adapter'
import type { Reply } from '../client/commands.js'
import type { Refusal } from '../scripts/script.js'

// What scripts and commands returned, checked before anything of it is used: a reply with values missing would look like a table with rows
// missing.

/** What a page script returned. */
export interface RawPage {
  readonly members: readonly Buffer[]
  readonly records: readonly (Buffer | null)[]
  /** Whether it stopped because of its bytes, so that there is more. */
  readonly isCut: boolean
  /** Rows that it read. */
  readonly examined: number
  /** The last member that it read; undefined if there is none. */
  readonly last: Buffer | undefined
}

/** How a page was asked for. */
export interface AskedPage {
  /** The maximum of rows that the script reads. */
  readonly rows: number
  /** Whether the script that filters was asked, and whether it may have dropped rows. */
  readonly script: 'whole' | 'filtered' | 'projected'
}

/** The reply of a page script. @throws RowkeyError `ADAPTER_FAULT` */
export function pageOf(table: string, reply: readonly Reply[], { rows, script }: AskedPage): RawPage {
  const fault = (what: string): Error => replyFault(table, `a page ${what}`)
  const [members, records, cutFlag, readCount, lastRead = null] = reply
  if (!isList(members) || !isList(records)) throw fault('without a list of members and one of values')
  if (members.length !== records.length) throw fault(`of ${members.length} members and ${records.length} values`)
  for (let i = 0; i < members.length; i++) {
    const record = records[i]
    if (!Buffer.isBuffer(members[i]) || !(record === null || Buffer.isBuffer(record)))
      throw fault('with members or values that are not bytes')
  }
  const cut = countOf(cutFlag)
  const examined = script === 'whole' ? members.length : countOf(readCount)
  const last = script === 'whole' ? members.at(-1) : lastRead
  if (cut === undefined || cut > 1 || examined === undefined) throw fault('that does not say what was read')
  const isExact = script === 'filtered' ? examined >= members.length : examined === members.length
  if (!isExact || examined > rows) throw fault(`of ${members.length} rows out of ${examined}, of at most ${rows}`)
  if (Buffer.isBuffer(last) !== examined > 0) throw fault(`of ${examined} rows that does not name the last one`)
  if (cut === 1 && examined === 0) throw fault('without rows that is not the last one')
  return {
    members: members as readonly Buffer[],
    records: records as readonly (Buffer | null)[],
    isCut: cut === 1,
    examined,
    last: Buffer.isBuffer(last) ? last : undefined,
  }
}

/** Of a shard: the number of its rows, and the rowkeys of ranks. */
export interface Ranks {
  readonly size: number
  readonly members: readonly Buffer[]
}

/** The reply of the script that looks up ranks. @throws RowkeyError `ADAPTER_FAULT` */
export function ranksOf(table: string, reply: readonly Reply[], count: number): Ranks {
  const [sizeCount, members] = reply
  const size = countOf(sizeCount)
  if (size === undefined || !isListOf(members, count, Buffer.isBuffer)) throw replyFault(table, `no size and ${count} rowkeys of a shard`)
  const found = (members as readonly Buffer[]).filter((member) => member.length > 0)
  const isSorted = found.every((member, i) => i === 0 || Buffer.compare(found[i - 1] as Buffer, member) < 0)
  if (!isSorted) throw replyFault(table, 'rowkeys of a shard that are out of order')
  return { size, members: members as readonly Buffer[] }
}

/** What one step of a purge did. */
export interface PurgeStep {
  readonly deleted: number
  /** Entries of the index of expiries that are still due. */
  readonly left: number
}

/** The reply of the script that purges. @throws RowkeyError `ADAPTER_FAULT` */
export function purgeStepOf(table: string, reply: readonly Reply[], want: number): PurgeStep {
  const [deleted, seen, left] = reply.map(countOf)
  if (deleted === undefined || seen === undefined || left === undefined || deleted > seen || seen > want) {
    throw replyFault(table, `a purge that does not say how many of ${want} rows it deleted`)
  }
  return { deleted, left }
}

/** The reply of HMGET: a value for each field. @throws RowkeyError `ADAPTER_FAULT` */
export function valuesOf(table: string, reply: Reply, count: number): readonly (Buffer | null)[] {
  if (isListOf(reply, count, isValue)) return reply as readonly (Buffer | null)[]
  throw replyFault(table, `${kindOf(reply)} for ${count} fields`)
}

const isValue = (reply: Reply): boolean => reply === null || Buffer.isBuffer(reply)

const isList = (reply: Reply | undefined): reply is readonly Reply[] => Array.isArray(reply)

function isListOf(reply: Reply | undefined, length: number, fits: (one: Reply) => boolean): boolean {
  return isList(reply) && reply.length === length && reply.every(fits)
}

/** Why a script did nothing, by its own word; undefined for every other reply. */
export function refusalOf(reply: Reply): Refusal | undefined {
  const word = textOf(reply)
  return word === 'gone' || word === 'torn' || word === 'resent' ? word : undefined
}

/** A count; a client may be configured to return integers as text. undefined: it is none. */
export function countOf(reply: Reply | undefined): number | undefined {
  const count = typeof reply === 'string' && /^\d{1,16}$/.test(reply) ? Number(reply) : reply
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** A text of ASCII characters; undefined: it is none. */
export function textOf(reply: Reply | undefined): string | undefined {
  return Buffer.isBuffer(reply) ? reply.toString('latin1') : typeof reply === 'string' ? reply : undefined
}

/** What a reply is, for a message. */
export function kindOf(reply: Reply): string {
  if (Array.isArray(reply)) return `a list of ${reply.length}`
  return show(textOf(reply) ?? reply)
}

/** The error for a reply that no script and no command of this adapter returns. */
export const replyFault = (table: string, what: string): Error => answerFault('redis', table, what)
