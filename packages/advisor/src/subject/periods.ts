import {
  columnCodec,
  counted,
  durationMs,
  durationText,
  saltCode,
  type SchemaColumn,
  showName,
  showNames,
  typeFacts,
} from 'rowkey/internal'
import { changedSchema } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { keyColumns } from './columns.js'
import { aPeriod, type Every, everyOf, isPeriod, periodSeconds, sourceOf } from './period-columns.js'
import { bucketsWithin, inBuckets, isWindow, partitionColumns } from './partitions.js'
import { figure, type Subject } from './subject.js'

/** A partition that ends with a period, as a change of the schema and in words. */
export interface PeriodFix {
  readonly change: SchemaChange
  readonly fix: string
  readonly every: Every
  /** Into how many buckets its partitions are divided. */
  readonly buckets: number
}

/** What a period is chosen for. */
export interface Wanted {
  /** New rows a second of the largest partition, all buckets together. */
  readonly perSecond: number
  /** What a partition takes. */
  readonly most: number
}

/**
 * The period after which a partition has no more rows than it takes, with buckets in it if it has to have some: the one of which queries read the fewest
 * partitions, if they say how much time they cover, otherwise the longest without buckets, or an hour with some. undefined if the key has no instant, or no
 * bucket of an hour is small enough.
 */
export function periodFix(subject: Subject, wanted: Wanted): PeriodFix | undefined {
  const spans = spansOf(subject)
  if (spans.length === 0) return longestPeriod(subject, usual, wanted) ?? saltedPeriod(subject, 'hour', wanted)
  const all = usual.flatMap((every) => [longestPeriod(subject, [every], wanted), saltedPeriod(subject, every, wanted)])
  const fitting = all.filter((each) => each !== undefined)
  return fitting.toSorted((a, b) => readBy(spans, a) - readBy(spans, b))[0]
}

/** What helps if no period and no number of buckets does alone, in words; undefined if the key has no instant. */
export function dividedHour(subject: Subject, { perSecond, most }: Wanted): string | undefined {
  const made = withPeriod(subject, 'hour')
  if (made === undefined) return undefined
  const rows = perSecond * periodSeconds.hour
  return (
    `${made.fix}${rowsText('hour', rows)} That is ${figure(Math.ceil(rows / most))} times what one takes, so put into the partition also what divides an hour ` +
    'into so many parts, and what queries name.'
  )
}

const usual: readonly Every[] = ['month', 'week', 'day', 'hour']

/** A query that says how much time it covers. */
interface Span {
  readonly seconds: number
  readonly perSecond: number
}

/** Those of scans that range over the instant of which a period would be. */
function spansOf(subject: Subject): readonly Span[] {
  const source = sourceIn(subject)
  return subject.queries.flatMap(({ shape: { span, where }, perSecond }) => {
    const ms = source === undefined || where[source.name] === undefined ? undefined : durationMs(span)
    return ms === undefined ? [] : [{ seconds: ms / 1000, perSecond }]
  })
}

/** Partitions that a range of so many seconds touches: it may begin in the middle of a period. */
const touched = (seconds: number, { every, buckets }: PeriodFix): number => (Math.ceil(seconds / periodSeconds[every]) + 1) * buckets

const readBy = (spans: readonly Span[], period: PeriodFix): number =>
  spans.reduce((sum, { seconds, perSecond }) => sum + Math.max(perSecond, 1e-9) * touched(seconds, period), 0)

/** What a period costs the scans that walk it. */
function costText(subject: Subject, period: PeriodFix): string {
  const [longest] = spansOf(subject).toSorted((a, b) => b.seconds - a.seconds)
  if (longest !== undefined)
    return ` A query of ${durationText(longest.seconds * 1000)} reads ${counted(touched(longest.seconds, period), 'partition')}.`
  const source = sourceIn(subject)
  const walks = subject.queries.some(({ shape }) => source !== undefined && shape.where[source.name] !== undefined)
  return walks ? ` A scan reads ${counted(period.buckets, 'partition')} for each ${period.every} of its range.` : ''
}

/** The first of some periods after which a partition has no more rows than it takes. */
export function longestPeriod(subject: Subject, among: readonly Every[], { perSecond, most }: Wanted): PeriodFix | undefined {
  for (const every of among) {
    const made = withPeriod(subject, every)
    const rows = made === undefined ? Infinity : rowsIn(every, perSecond, made.subject)
    if (made === undefined || rows > most) continue
    const found: PeriodFix = {
      change: made.change,
      fix: `${made.fix}${rowsText(every, rows)}`,
      every,
      buckets: bucketsWithin(made.subject),
    }
    return { ...found, fix: `${found.fix}${costText(subject, found)}` }
  }
  return undefined
}

/** A period, and buckets within it. There is room for twice as many rows, because a stated rate may be an average. */
function saltedPeriod(subject: Subject, every: Every, { perSecond, most }: Wanted): PeriodFix | undefined {
  const made = withPeriod(subject, every)
  const salt = made === undefined ? undefined : inBuckets(made.subject, rowsIn(every, perSecond, made.subject) / most)?.salt
  const schema = made === undefined || salt === undefined ? undefined : changedSchema(made.subject.schema, { salt })
  if (made === undefined || salt === undefined || schema === undefined) return undefined
  const after = { ...made.subject, schema }
  const rows = rowsIn(every, perSecond, after)
  if (rows > most) return undefined
  const spread = `salt: ${schema.salt.map(saltCode).join(', ')}${rowsText(every, rows)}`
  const isThere = partitionColumns(subject).some((column) => everyOf(column) === every)
  const [change, fix] = isThere
    ? [{ salt }, `Spread each ${every} over more buckets: ${spread}`]
    : [{ ...made.change, salt }, `${made.fix}, ${spread}`]
  const found: PeriodFix = { change, fix, every, buckets: bucketsWithin(after) }
  return { ...found, fix: `${fix}${costText(subject, found)}` }
}

/** Rows of the largest partition, or of one of its buckets, after a period. */
const rowsIn = (every: Every, perSecond: number, subject: Subject): number => (perSecond * periodSeconds[every]) / bucketsWithin(subject)

const rowsText = (every: Every, rows: number): string =>
  `. At the stated rate ${aPeriod(every)} has ${figure(rows)} rows in the largest partition.`

interface Made {
  readonly subject: Subject
  readonly change: SchemaChange
  readonly fix: string
}

/** The partition with a period of its own, in place of the one that is there. Without a partition, what comes before the instant is one. */
function withPeriod(subject: Subject, every: Every): Made | undefined {
  const { schema } = subject
  const source = sourceIn(subject)
  if (source === undefined) return undefined
  const key = keyColumns(subject).filter((column) => sourceOf(column) !== source.name || column === source)
  const former = partitionColumns(subject)
  const before = (former.length === 0 ? key.slice(0, key.indexOf(source)) : former).filter((column) => !isWindow(subject, column))
  const name = [every, `${source.name}_${every}`].find((each) =>
    schema.columns.every((column) => (column.name !== each && column.physical !== each) || isPeriod(column)),
  )
  if (name === undefined) return undefined
  const partition = [...before.map((column) => column.name), name]
  const names = key
    .map((column) => column.name)
    .filter((each) => !partition.includes(each) && !former.some((column) => column.name === each))
  // A salt of what is in the partition spreads none.
  const salt = schema.salt.every(({ of }) => of.every((each) => partition.includes(each))) ? [] : schema.salt
  const change: SchemaChange = {
    types: { [name]: { kind: 'period', every, of: source.name, as: 'Date', desc: source.type.desc, nullable: false } },
    partition,
    key: names,
    ...(salt === schema.salt ? {} : { salt }),
  }
  const changed = changedSchema(schema, change)
  if (changed === undefined) return undefined
  const place = `partition: [${showNames(partition, "'")}]`
  const text = `period('${every}', { of: '${showName(source.name)}' })`
  return {
    subject: { ...subject, schema: changed, stats: undefined },
    change,
    fix: `Let a period end its partitions: ${name}: ${text}, ${place}`,
  }
}

/** What a period can be of: an instant by its type, which each row has, otherwise a date. */
export function sourceIn(subject: Subject): SchemaColumn | undefined {
  const inner = keyColumns(subject).slice(subject.schema.partitionLength)
  const times = inner.filter(
    (column) => !isPeriod(column) && column.type.ordered && !column.type.nullable && countsOf(column) !== undefined,
  )
  return times.find((column) => countsOf(column) !== 'days') ?? times[0]
}

/** What a column counts by its type. */
export function countsOf({ type }: SchemaColumn): string | undefined {
  const { storage } = typeFacts(type)
  return 'counts' in storage ? storage.counts : undefined
}

/** Bytes that a row has at least by the types of its columns. */
export const leastRowBytes = ({ schema }: Pick<Subject, 'schema'>): number =>
  schema.columns.reduce((sum, { name, type }) => sum + (type.nullable ? 0 : leastBytes(name, type)), 0)

function leastBytes(name: string, type: SchemaColumn['type']): number {
  return typeFacts(type).keyBytes === 'none' ? 0 : columnCodec(name, type).minBytes
}
