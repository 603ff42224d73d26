import type { TableSchema } from '#model'
import type { ReadOptions } from '../contract/reading.js'
import { applied } from '../contract/outcomes.js'
import type { Mutation, Outcome } from '../contract/writing.js'
import type { WriteRequest, Writer } from './write-request.js'
import { getRows } from '../scan/get-rows.js'
import { isExpired } from '../table/row.js'
import { isDoneByAnyRow, versionGiven } from './retryable.js'

const consistency = 'strong'

/**
 * Resolves unknown outcomes of writes to different rows, by one read per table: if a row now has the version of the write, the write was
 * applied; and one that only creates its row has nothing left to do if there is one. Anything else proves nothing, because the row may have
 * been overwritten, or the write may still be under way.
 */
export async function resolveUnknown(
  writer: Writer,
  mutations: readonly Mutation[],
  outcomes: readonly Outcome[],
  { cancellation, now }: WriteRequest,
): Promise<readonly Outcome[]> {
  const known = [...outcomes]
  for (const [schema, places] of openOnes(mutations, outcomes)) {
    const store = writer.storeOf(schema)
    if (store === undefined || cancellation?.isOver === true) continue
    const keys = places.map((place) => (mutations[place] as Mutation).row.slice(0, schema.keyLength))
    const columns = [schema.expiryIndex, schema.versionIndex].filter((at) => at >= 0)
    const read: ReadOptions = cancellation === undefined ? { consistency, columns } : { consistency, columns, cancellation }
    try {
      const rows = await getRows(schema, store, keys, read)
      places.forEach((place, i) => {
        const [row, mutation] = [rows[i], mutations[place] as Mutation]
        if (row === undefined || isExpired(schema, row, now)) return
        if (isDoneByAnyRow(mutation) || row[schema.versionIndex] === versionGiven(mutation)) known[place] = applied
      })
    } catch {
      // The read fails for the same reason as the writes; the caller gets that one.
    }
  }
  return known
}

/** The indexes of unknown writes that set a version or only create their row, by table. */
function openOnes(mutations: readonly Mutation[], outcomes: readonly Outcome[]): ReadonlyMap<TableSchema, readonly number[]> {
  const open = new Map<TableSchema, number[]>()
  mutations.forEach((mutation, place) => {
    if (outcomes[place]?.kind !== 'unknown' || (versionGiven(mutation) === undefined && !isDoneByAnyRow(mutation))) return
    const places = open.get(mutation.schema)
    if (places === undefined) open.set(mutation.schema, [place])
    else places.push(place)
  })
  return open
}
