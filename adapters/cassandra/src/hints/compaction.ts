import { durationMs, type Duration, type Hint, type SchemaColumn, type TableSchema } from 'rowkey/adapter'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The units of CQL. */
const units = [
  ['DAYS', day],
  ['HOURS', hour],
  ['MINUTES', minute],
] as const

/** Cassandra's documentation asks for 20 to 30 windows in the life of a row, such as 3 days of 90. */
const windows = { least: 20, most: 30 }

type Period = NonNullable<SchemaColumn['type']['every']>

/** Nominal lengths: a window is as many seconds as any other, and so never a month. */
const periods: Readonly<Record<Period, number>> = { hour, day, week: 7 * day, month: 30 * day, year: 365 * day }

/** What a window is a whole number of if it can be no whole number of periods; each divides the one before. */
const steps = [7 * day, day, day / 2, day / 4, hour, hour / 2, hour / 6, minute]

/** Rows that live longer have no time to live in Cassandra (see expiry.ts), and their deletions would not meet them in a window. */
const longestLife = 630_720_000_000

const compactions = ['SizeTiered', 'Leveled', 'TimeWindow', 'Unified'] as const

/** How the server compacts a table, by the hints of its model. */
export interface CompactionHints {
  readonly compaction?: (typeof compactions)[number]
  /** false: windows as the server chooses them, and no compaction of ours. */
  readonly compactionWindow?: Duration | false
}

export const compactionHints: Readonly<Record<keyof CompactionHints, Hint>> = {
  compaction: { fits: (given) => compactions.some((known) => known === given), wants: `one of ${compactions.join(', ')}` },
  compactionWindow: {
    fits: (given, { stores }) => {
      if (given === false) return true
      const { compaction = 'TimeWindow' } = stores['cassandra'] as CompactionHints
      return compaction === 'TimeWindow' && isWindow(durationMs(given))
    },
    wants: "whole minutes, hours or days, such as '3d', with compaction 'TimeWindow' or none; or false, so that the server chooses",
  },
}

const isWindow = (ms: number | undefined): boolean => ms !== undefined && ms % minute === 0

/** The period of the partitions of a table: its rows of one time are together. */
export function partitionPeriod({ columns, partitionLength }: TableSchema): Period | undefined {
  const type = columns.slice(0, partitionLength).find((column) => column.type.of !== undefined)?.type
  return type?.changes?.at(-1)?.every ?? type?.every
}

/** The name of the compaction that a table is made with; undefined: that of the server. */
export function compactionOf(schema: TableSchema, hints: CompactionHints): CompactionHints['compaction'] {
  return hints.compaction ?? (windowOf(schema, hints) === undefined ? undefined : 'TimeWindow')
}

/** The option of CREATE TABLE; undefined if the server chooses. */
export function compactionText(schema: TableSchema, hints: CompactionHints): string | undefined {
  const compaction = compactionOf(schema, hints)
  if (compaction === undefined) return undefined
  const ms = compaction === 'TimeWindow' ? windowOf(schema, hints) : undefined
  return `compaction = {'class': '${compaction}CompactionStrategy'${ms === undefined ? '' : windowText(ms)}}`
}

/** The milliseconds of a window: as the model says, or by its ttl and the period of its partitions. */
function windowOf(schema: TableSchema, { compaction = 'TimeWindow', compactionWindow }: CompactionHints): number | undefined {
  if (compactionWindow !== undefined) return compactionWindow === false ? undefined : durationMs(compactionWindow)
  const { ttl } = schema
  const period = partitionPeriod(schema)
  // Without a period rows of all times are in one partition, and reads of it would meet a file of each window.
  if (compaction !== 'TimeWindow' || ttl === undefined || period === undefined || ttl > longestLife) return undefined
  return defaultWindow(ttl, periods[period])
}

/** Whole periods, if 20 to 30 windows of them are a life; otherwise whole parts of a period, and never less than a minute. */
function defaultWindow(ttl: number, period: number): number {
  for (const step of [period, ...steps.filter((step) => step < period)]) {
    const ms = Math.ceil(ttl / windows.most / step) * step
    if (ttl / ms >= windows.least) return ms
  }
  return Math.max(1, Math.ceil(ttl / windows.most / minute)) * minute
}

function windowText(ms: number): string {
  const [unit, length] = units.find(([, each]) => ms % each === 0) as (typeof units)[number]
  return `, 'compaction_window_unit': '${unit}', 'compaction_window_size': '${ms / length}'`
}
