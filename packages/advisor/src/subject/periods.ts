import { columnCodec, saltCode, type SchemaColumn, showName, showNames, typeFacts } from 'rowkey/internal'
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
}

/** What a period is chosen for. */
export interface Wanted {
  /** New rows a second of the largest partition, all buckets together. */
  readonly perSecond: number
  /** What a partition takes. */
  readonly most: number
}

/**
 * The longest period after which a partition has no more rows than it takes; if an hour has too many, the hour and a salt within it. undefined if the key
 * has no instant, or no bucket of an hour is small enough.
 */
export const periodFix = (subject: Subject, wanted: Wanted): PeriodFix | undefined =>
  longestPeriod(subject, usual, wanted) ?? saltedHour(subject, wanted)

const usual: readonly Every[] = ['month', 'week', 'day', 'hour']

/** The first of some periods after which a partition has no more rows than it takes. */
export function longestPeriod(subject: Subject, among: readonly Every[], { perSecond, most }: Wanted): PeriodFix | undefined {
  for (const every of among) {
    const made = withPeriod(subject, every)
    const rows = made === undefined ? Infinity : rowsIn(every, perSecond, made.subject)
    if (made !== undefined && rows <= most) return { change: made.change, fix: `${made.fix}${rowsText(every, rows)}` }
  }
  return undefined
}

/** Hours, and buckets within them. There is room for twice as many rows, because a stated rate may be an average. */
function saltedHour(subject: Subject, { perSecond, most }: Wanted): PeriodFix | undefined {
  const made = withPeriod(subject, 'hour')
  const salt = made === undefined ? undefined : inBuckets(made.subject, rowsIn('hour', perSecond, made.subject) / most)?.salt
  const schema = made === undefined || salt === undefined ? undefined : changedSchema(made.subject.schema, { salt })
  if (made === undefined || salt === undefined || schema === undefined) return undefined
  const rows = rowsIn('hour', perSecond, { ...made.subject, schema })
  if (rows > most) return undefined
  const spread = `salt: ${schema.salt.map(saltCode).join(', ')}${rowsText('hour', rows)}`
  const isThere = partitionColumns(subject).some((column) => everyOf(column) === 'hour')
  if (isThere) return { change: { salt }, fix: `Spread each hour over more buckets: ${spread}` }
  return { change: { ...made.change, salt }, fix: `${made.fix}, ${spread}` }
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
  const before = (former.length === 0 ? key.slice(0, key.indexOf(source)) : former).filter((column) => !isWindow(column))
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
