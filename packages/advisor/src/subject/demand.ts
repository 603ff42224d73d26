import type { SchemaColumn } from 'rowkey/internal'
import { bucketsWithin, isWindow, partitionColumns } from './partitions.js'
import { listed, rowsAtMost, type AskedQuery } from './queries.js'
import { factsOf, partitionLimits } from './store-profile.js'
import { writesPerSecond, type Subject, type TableLoad, type TableLoads } from './subject.js'

// What is asked of a table and of its busiest partition, in what the store counts, per second.

/** One sort of demand. */
export interface Demand {
  readonly of: 'writes' | 'reads' | 'commands'
  /** Whether `all` and the others are units of the store, of which one of these may take several, or a half. */
  readonly inUnits: boolean
  /** Of the whole table. */
  readonly all: number
  /** Of the busiest partition, or of one of its buckets. */
  readonly busiest: number
  /** The part of it by scans: each of them is answered by all buckets, so more buckets do not make it less. */
  readonly byScans: number
  /** What a partition takes. */
  readonly limit: number
}

/** What is counted, as text. */
export const demandText = ({ of, inUnits }: Demand): string => (inUnits ? `${of.slice(0, -1)} units` : of)

/** What a partition with a share of all rows is asked for; nothing for a store whose vendor publishes no limit of a partition. */
export function demandsOn(subject: Subject, share: number): readonly Demand[] {
  const { writesPerSecond: writeLimit, readsPerSecond: readLimit } = partitionLimits(subject.store)
  if (writeLimit === undefined || readLimit === undefined) return []
  const { units } = factsOf(subject.store) ?? {}
  const perWrite = units === undefined ? 1 : begun(rowBytes(subject), units.writeBytes)
  const writes = perWrite * writesPerSecond(subject)
  const busiestWrites = (share * writes) / bucketsWithin(subject)
  const reads = subject.queries.map((query) => readsOn(subject, query, share))
  const sum = (number: (each: Reads) => number): number => reads.reduce((total, each) => total + number(each), 0)
  const all = sum((each) => each.all * each.cost)
  const busiest = sum((each) => each.busiest * each.cost)
  const byScans = sum((each) => (each.isScan ? each.busiest * each.cost : 0))
  // One thread executes both.
  if (units === undefined)
    return [{ of: 'commands', inUnits: false, all: writes + all, busiest: busiestWrites + busiest, byScans, limit: writeLimit }]
  return [
    { of: 'writes', inUnits: perWrite !== 1, all: writes, busiest: busiestWrites, byScans: 0, limit: writeLimit },
    { of: 'reads', inUnits: reads.some(({ cost }) => cost !== 1), all, busiest, byScans, limit: readLimit },
  ]
}

/** Commands a second of a table: its writes, and the requests of its queries. */
export const commandsPerSecond = (subject: Subject): number =>
  writesPerSecond(subject) + subject.queries.reduce((sum, query) => sum + query.perSecond * requestsOf(subject, query), 0)

/** What is asked of some tables, and of others that are in the same store, as each of the first sees it. */
export function loadsOf(subjects: readonly Subject[], others: readonly TableLoad[] = []): readonly TableLoads[] {
  const own = subjects.map((subject) => ({ table: subject.schema.name, commands: commandsPerSecond(subject) }))
  const tables = [...own, ...others].filter(({ commands }) => commands > 0).toSorted(byLoad)
  const all = tables.reduce((sum, { commands }) => sum + commands, 0)
  return own.map(({ commands }) => ({ own: commands, all, tables }))
}

/** The order of tables by what is asked of them, the busiest first. Of two with the same load, one is always the first. */
export const byLoad = (a: TableLoad, b: TableLoad): number => b.commands - a.commands || (a.table < b.table ? -1 : 1)

/** The requests that a query is: one for each range that a scan reads, in each bucket and of each partition; none if it is refused. */
function requestsOf(subject: Subject, query: AskedQuery): number {
  const { explanation } = query
  if (explanation === undefined || explanation.kind === 'EMPTY') return 0
  if (explanation.keys === 0) return Math.max(1, explanation.ranges)
  if (countsKeys(subject)) return explanation.keys
  const partitions = namedBy(query, partitionColumns(subject))
  return partitions * Math.min(explanation.keys / partitions, bucketsWithin(subject))
}

/** Whether each key of a get is counted. */
const countsKeys = ({ store }: Subject): boolean => factsOf(store)?.hasSharedGets !== true

/** Requests of a query, those that the busiest partition answers, and what one costs. */
interface Reads {
  readonly all: number
  readonly busiest: number
  readonly cost: number
  readonly isScan: boolean
}

function readsOn(subject: Subject, query: AskedQuery, share: number): Reads {
  const requests = requestsOf(subject, query)
  const columns = partitionColumns(subject)
  const buckets = bucketsWithin(subject)
  const named = namedBy(
    query,
    columns.filter((column) => !isWindow(subject, column)),
  )
  const { keys = 0 } = query.explanation ?? {}
  const ofEach = (keys === 0 ? requests : keys) / namedBy(query, columns) / buckets
  const inBucket = keys === 0 || countsKeys(subject) ? ofEach : Math.min(1, ofEach)
  return {
    all: query.perSecond * requests,
    busiest: requests === 0 ? 0 : query.perSecond * Math.min(1, share * named) * inBucket,
    cost: readCost(subject, query, share),
    isScan: keys === 0,
  }
}

/** How many values a query names for some columns. */
const namedBy = (query: AskedQuery, columns: readonly SchemaColumn[]): number =>
  columns.reduce((product, { name }) => product * (listed(query, name) ?? 1), 1)

/** Read units of a request, if the store counts them: begun ones, and less for an eventually consistent read. At least one row is read. */
function readCost(subject: Subject, query: AskedQuery, share: number): number {
  const { store, stats } = subject
  const { units } = factsOf(store) ?? {}
  if (units === undefined) return 1
  const { shape, explanation } = query
  // How many rows there are to read is only known of a table whose size is.
  const rows = (explanation?.keys ?? 0) > 0 ? 1 : Math.min(rowsAtMost(query) ?? 1, (share * (stats?.total ?? 1)) / bucketsWithin(subject))
  return begun(Math.max(1, rows) * rowBytes(subject), units.readBytes) * (shape.consistency === 'eventual' ? units.eventual : 1)
}

const rowBytes = ({ stats }: Subject): number => stats?.rowBytes ?? 0
const begun = (bytes: number, size: number): number => Math.max(1, Math.ceil(bytes / size))
