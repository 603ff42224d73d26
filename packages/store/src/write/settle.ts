import type { TableSchema } from '@rowkey/model'
import type { ReadOptions } from '../contract/reading.js'
import type { Mutation, Outcome } from '../contract/writing.js'
import type { Sending, Writer } from './sending.js'
import { getRows } from '../scan/get-rows.js'
import { versionGiven } from './repeatable.js'

const consistency = 'strong'
const applied: Outcome = Object.freeze({ kind: 'applied' })

/**
 * Finds out what became of writes whose outcome is not known, of different rows, by one read for each table: a row that has its version now
 * was written by it. Anything else says nothing, for it may have been overwritten, or be still on its way.
 */
export async function settled(
  writer: Writer,
  mutations: readonly Mutation[],
  outcomes: readonly Outcome[],
  { cancellation }: Sending,
): Promise<readonly Outcome[]> {
  const known = [...outcomes]
  for (const [schema, places] of openOnes(mutations, outcomes)) {
    const store = writer.storeOf(schema)
    if (store === undefined || cancellation?.isOver === true) continue
    const keys = places.map((place) => (mutations[place] as Mutation).row.slice(0, schema.keyLength))
    const columns = [schema.versionAt]
    const read: ReadOptions = cancellation === undefined ? { consistency, columns } : { consistency, columns, cancellation }
    try {
      const rows = await getRows(schema, store, keys, read)
      places.forEach((place, i) => {
        if (rows[i]?.[schema.versionAt] === versionGiven(mutations[place] as Mutation)) known[place] = applied
      })
    } catch {
      // The read fails for the reason that the writes did; the caller hears of that one.
    }
  }
  return known
}

/** The places of unknown writes that give a version, by table. */
function openOnes(mutations: readonly Mutation[], outcomes: readonly Outcome[]): ReadonlyMap<TableSchema, readonly number[]> {
  const open = new Map<TableSchema, number[]>()
  mutations.forEach((mutation, place) => {
    if (outcomes[place]?.kind !== 'unknown' || versionGiven(mutation) === undefined) return
    const places = open.get(mutation.schema)
    if (places === undefined) open.set(mutation.schema, [place])
    else places.push(place)
  })
  return open
}
