import { Column, createMapper, desc, KeyColumn, memory, Table, text, timestamp } from 'rowkey'
import type { Contest, Contestant, Operation } from '../duel/contestant.js'
import { inputCount } from '../measure/loop.js'
import { rowkeyEngine } from './candidates/rowkey.js'
import { sampleRows, type SampleRow } from './sample.js'

@Table('events')
class Event {
  @KeyColumn(1, text()) host!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @Column(text()) level!: string
  @Column(text()) message!: string
}

type Row = readonly [host: string, event: string, at: number, level: string, message: string]

const rows = 100_000
const scanned = 100

/** What users run: a decorated model in, instances of its class out, beside the engine below with rowkeys and rows that stand ready. */
export const repositoryContest: Contest = {
  id: 'repository',
  title: `the same ${rows.toLocaleString('en')} rows by way of a repository`,
  base: 'engine',
  operations: ['put', 'get', `scan ${scanned}`],
  allocation: false,
  parties: new Map<string, () => Contestant | Promise<Contestant>>([
    ['repository', () => repository()],
    ['repository, toArray', () => repository((scan) => scan.toArray())],
    ['engine', () => engine((rows) => rows)],
    ['engine, instances by hand', () => engine((rows) => rows.map(instance))],
  ]),
}

type Scan = ReturnType<Awaited<ReturnType<typeof open>>['scan']>

async function open(sample: readonly SampleRow[]) {
  const db = createMapper(memory())
  await db.ensureTables([Event])
  const events = db.repository(Event)
  await events.putMany(sample.map(entity))
  return events
}

async function repository(read: (scan: Scan) => Promise<unknown> = (scan) => scan.page({ size: scanned })): Promise<Contestant> {
  const sample = sampleRows(rows)
  const events = await open(sample)
  const entities = sample.map(entity)
  const [first] = entities as [Event]
  if (!((await events.get({ host: first.host, event: first.event, at: first.at })) instanceof Event)) throw new Error('a row is not found')
  const pick = picker(entities)
  return {
    operations: {
      put: operation(() => events.put(pick())),
      get: operation(() => {
        const { host, event, at } = pick()
        return events.get({ host, event, at })
      }),
      [`scan ${scanned}`]: operation(() => {
        const { host, event, at } = pick()
        // From here to the end of the host, in the stored order: as far as the engine's scan gets.
        return read(events.scan({ host, event, at: { lte: at } }, { limit: scanned }))
      }),
    },
    facts: {},
  }
}

/** Rows as they are kept, or the least that gives what a repository gives. */
function engine(give: (rows: readonly Row[]) => unknown): Contestant {
  const sample = sampleRows(rows)
  const engine = rowkeyEngine(true)
  for (const { key, row } of sample) engine.set(Buffer.from(key, 'latin1').toString('latin1'), row)
  const pick = picker(sample)
  return {
    operations: {
      put: operation(() => {
        const { key, row } = pick()
        engine.set(key, row)
        return Promise.resolve()
      }),
      get: operation(() => Promise.resolve(give([engine.get(pick().key) as Row]))),
      [`scan ${scanned}`]: operation(() => Promise.resolve(give(engine.scan?.(pick().key, scanned) as readonly Row[]))),
    },
    facts: {},
  }
}

function instance([host, event, at, level, message]: Row): Event {
  const made = new Event()
  made.host = host
  made.event = event
  made.at = new Date(at)
  made.level = level
  made.message = message
  return made
}

const entity = ({ host, event, at, row }: SampleRow): Event =>
  Object.assign(new Event(), { host, event, at: new Date(at), level: row[3], message: row[4] })

function picker<T>(all: readonly T[]): () => T {
  let at = 0
  return () => all[(at = (at + 1) % all.length)] as T
}

const operation = (run: () => unknown): Operation => ({ inputs: new Array<number>(inputCount).fill(0), run, isAsync: true })
