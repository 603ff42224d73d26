import type { Adapter, Row, TableCatalog } from 'rowkey/adapter'
import { createMapper, type Mapper } from 'rowkey'
import { Event, SpreadEvent, type Sample } from './model.js'
import { scanned, type Stored, type Way } from './party.js'

/** A mapper whose tables hold the rows, under names that no other process uses. */
export async function filled<A extends Adapter>(adapter: A, { groups, spread }: Stored): Promise<Mapper<A>> {
  const db = createMapper(adapter, { prefix: `b${process.pid}_` })
  await db.ensureTables([Event, SpreadEvent])
  await db.repository(Event).putMany(groups.flat().map((sample) => entityOf(Event, sample)))
  await db.repository(SpreadEvent).putMany(spread.map((sample) => entityOf(SpreadEvent, sample)))
  return db
}

export function entityOf<E extends Event>(Model: new () => E, { host, event, at, level, message }: Sample): E {
  const made = new Model()
  made.host = host
  made.event = event
  made.at = new Date(at)
  made.level = level
  made.message = message
  return made
}

/** What users run: a decorated class in, instances of it out. */
export function repositoryWay(db: Mapper): Way<Event, Event> {
  const events = db.repository(Event)
  const spread = db.repository(SpreadEvent)
  return {
    given: (sample) => entityOf(Event, sample),
    sampleOf: ({ host, event, at, level, message }) => ({ host, event, at: at.getTime(), level, message }),
    put: (row) => events.put(row),
    putMany: (rows) => events.putMany(rows),
    load: (rows) => events.putMany(rows.values()),
    get: ({ host, event, at }) => events.get({ host, event, at }),
    getMany: (keys) => events.getMany(keys.map(({ host, event, at }) => ({ host, event, at }))),
    scan: ({ host, event, at }) => events.scan({ host, event, at: { gte: at } }, { limit: scanned }).toArray(),
    reverse: ({ host, event, at }) => events.scan({ host, event, at: { lte: at } }, { limit: scanned, order: 'reverse' }).toArray(),
    spread: ({ host, event, at }) => spread.scan({ host, event, at: { gte: at } }, { limit: scanned }).toArray(),
  }
}

const options = { consistency: 'strong' } as const

/** Below the repository: rows by position, and ranges that stand ready. */
export async function adapterWay(db: Mapper): Promise<Way<Row, Row>> {
  const { adapter } = db
  const { schema } = db.repository(Event)
  const table = adapter.table(schema, (await adapter.describeTable(schema.name)) as TableCatalog)
  const write = async (rows: readonly Row[]): Promise<void> => {
    const outcomes = await adapter.write(
      rows.map((row) => ({ kind: 'put', schema, row })),
      { now: Date.now() },
    )
    for (const { kind } of outcomes) if (kind !== 'applied') throw new Error(`a row is ${kind}`)
  }
  const page = async (from: Row, to: Row, reverse: boolean): Promise<readonly Row[]> => {
    const slice = { bucket: 0, from: { prefix: from, edge: 'before' }, to: { prefix: to, edge: 'after' }, reverse } as const
    const source = table.scan(slice, options)
    let rows: readonly Row[] = []
    // One page, but the first ones of a table may be short, as long as nothing is known of its rows.
    for (let more = await source.next(scanned); more !== undefined; more = await source.next(scanned - rows.length)) {
      rows = rows.length === 0 ? more.rows : [...rows, ...more.rows]
      if (rows.length >= scanned) break
    }
    source.close()
    return rows
  }
  return {
    given: ({ host, event, at, level, message }) => [host, event, at, level, message],
    sampleOf: ([host, event, at, level, message]) => ({ host, event, at, level, message }) as Sample,
    put: (row) => write([row]),
    putMany: write,
    load: write,
    get: async (row) => (await table.get([row.slice(0, 3)], options))[0],
    getMany: async (rows) =>
      table.get(
        rows.map((row) => row.slice(0, 3)),
        options,
      ),
    scan: (row) => page(row.slice(0, 3), row.slice(0, 2), false),
    reverse: (row) => page(row.slice(0, 2), row.slice(0, 3), true),
  }
}
