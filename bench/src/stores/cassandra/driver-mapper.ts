import { mapping, type Client } from 'cassandra-driver'
import { atMost } from '../../duel/at-most.js'
import type { Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'
import { createTables } from './keyspace.js'

type Doc = Omit<Sample, 'at'> & { readonly at: Date }
const batchRows = 100

/** The driver's own mapper. */
export async function driverMapper(client: Client, { groups }: Stored): Promise<Way<Doc, Doc>> {
  const { events: table } = await createTables(client)
  const mapper = new mapping.Mapper(client, { models: { Event: { tables: [table] } } })
  const events = mapper.forModel<Doc>('Event')
  const { q } = mapping
  const putMany = (rows: readonly Doc[]): Promise<void> => {
    const batches: Doc[][] = []
    for (const row of rows) {
      const last = batches.at(-1)
      if (last === undefined || last.length === batchRows || last[0]?.host !== row.host) batches.push([row])
      else last.push(row)
    }
    return atMost(32, batches, async (batch) => {
      await mapper.batch(
        batch.map((row) => events.batching.insert(row)),
        { logged: false, isIdempotent: true },
      )
    })
  }
  const docOf = (sample: Sample): Doc => ({ ...sample, at: new Date(sample.at) })
  const idempotent = { isIdempotent: true }
  for (const group of groups) await putMany(group.map(docOf))
  return {
    given: docOf,
    sampleOf: ({ host, event, at, level, message }) => ({ host, event, at: at.getTime(), level, message }),
    put: (row) => events.insert(row, undefined, idempotent),
    putMany,
    load: putMany,
    get: async ({ host, event, at }) => (await events.get({ host, event, at })) ?? undefined,
    async getMany(rows) {
      const { host, event } = rows[0] as Doc
      const found = (await events.find({ host, event, at: q.in_(rows.map(({ at }) => at)) })).toArray()
      const byTime = new Map(found.map((doc) => [doc.at.getTime(), doc]))
      return rows.map(({ at }) => byTime.get(at.getTime()))
    },
    scan: async ({ host, event, at }) => (await events.find({ host, event, at: q.gte(at) }, { limit: scanned })).toArray(),
    reverse: async ({ host, event, at }) =>
      (await events.find({ host, event, at: q.lte(at) }, { limit: scanned, orderBy: { event: 'desc' } })).toArray(),
  }
}
