import type { ReadOptions } from '../contract/reading.js'
import type { Mutation, Outcome } from '../contract/writing.js'
import type { Sending, Writer } from './sending.js'
import { getRows } from '../scan/get-rows.js'
import { versionGiven } from './repeatable.js'

const consistency = 'strong'
const applied: Outcome = Object.freeze({ kind: 'applied' })

/**
 * Finds out what became of a write whose outcome is not known: a row that has its version now was written by it. Anything else says
 * nothing, for it may have been overwritten, or be still on its way.
 */
export async function settled(writer: Writer, mutation: Mutation, outcome: Outcome, { cancellation }: Sending): Promise<Outcome> {
  const { schema, row } = mutation
  const version = outcome.kind === 'unknown' ? versionGiven(mutation) : undefined
  const store = version === undefined ? undefined : writer.storeOf(schema)
  if (store === undefined || cancellation?.isOver === true) return outcome
  try {
    const key = row.slice(0, schema.keyLength)
    const columns = [schema.versionAt]
    const read: ReadOptions = cancellation === undefined ? { consistency, columns } : { consistency, columns, cancellation }
    const [found] = await getRows(schema, store, [key], read)
    return found?.[schema.versionAt] === version ? applied : outcome
  } catch {
    return outcome // the read fails for the reason that the write did; the caller hears of that one
  }
}
