import {
  Column,
  copyTable,
  createMapper,
  defined,
  defineTable,
  equals,
  type InferFullWhere,
  type InferInsert,
  type InferKey,
  type InferPatch,
  type InferRow,
  type InferWhere,
  type InferWholeKey,
  KeyColumn,
  memory,
  PartitionKey,
  RowKey,
  Table,
} from 'rowkey'
import { date, desc, period, random, text, timestamp, uint32 } from 'rowkey/codec'
import { same } from './same.js'

const at = new Date('2026-03-05T12:00:00Z')
const day = new Date('2026-03-05')
const db = createMapper(memory())

// ---- a period follows from its source: rows to write and keys may leave it out, rows and keys that are read have it
const Logs = defineTable('logs', {
  columns: {
    host: text(),
    day: desc(period('day', { of: 'at', name: 'c_day' })),
    at: desc(timestamp('ms')),
    seq: uint32({ default: random(100) }),
    line: text(),
  },
  partition: ['host', 'day'],
  key: ['at', 'seq'],
})
const logs = db.repository(Logs)
type L = typeof Logs
same<InferRow<L>, { host: string; day: Date; at: Date; seq: number; line: string }>(true)
same<InferKey<L>, { host: string; at: Date; seq: number; day?: Date }>(true)
same<InferWholeKey<L>, { host: string; day: Date; at: Date; seq: number }>(true)
same<InferInsert<L>, { host: string; at: Date; line: string; day?: Date; seq?: number }>(true)
same<InferPatch<L>, { line?: string | undefined }>(true)

const key = { host: 'a', at, seq: 1 }
void logs.insert({ host: 'a', at, line: 'x' })
void logs.put({ ...key, day, line: 'x' })
void logs.get(key)
void logs.get({ ...key, day })
void logs.getMany([key, { ...key, day }])
void logs.exists(key)
void logs.update(key, { line: 'y' })
void logs.delete(key)
void logs.ops.delete(key)
void logs.encodeKey(key)
// @ts-expect-error a period is a Date
void logs.get({ ...key, day: '2026-03-05' })
// @ts-expect-error not without its source
void logs.get({ host: 'a', day, seq: 1 })
// @ts-expect-error part of the key
void logs.update(key, { day })
// @ts-expect-error part of the key
void logs.update(key, {}, { if: { day } })
// @ts-expect-error no number to add to
void logs.increment(key, { day: 1 })
same<ReturnType<typeof logs.decodeKey>, { host: string; day: Date; at: Date; seq: number }>(true)
same<ReturnType<typeof logs.keyOf>, { host: string; day: Date; at: Date; seq: number }>(true)
const { key: written } = await logs.put({ ...key, line: 'x' })
same<typeof written, InferWholeKey<L>>(true)

// ---- the partition is found by both ends of the source, or named
void logs.scan({ host: 'a', at })
void logs.scan({ host: { in: ['a', 'b'] }, at: equals('x') })
void logs.scan({ host: 'a', at: { in: [at, at] } })
void logs.scan({ host: 'a', at: { in: [at], gte: at } })
void logs.scan({ host: 'a', at: { gte: at, lt: at } })
void logs.scan({ host: 'a', at: { gt: at, lte: at }, line: { startsWith: 'x' }, seq: { lt: 7 } })
void logs.scan({ host: 'a', at: { gt: at, gte: at, lt: at } })
void logs.scan({ host: 'a', at: { gte: at, lt: at }, day: { gt: day } })
void logs.scan({ host: 'a', day })
void logs.scan({ host: 'a', day: equals('x') })
void logs.scan({ host: 'a', day: { in: [day] }, at: { gte: at } })
void logs.scan({ host: 'a', day, at: { lt: at } }, { unbounded: true })
// @ts-expect-error no host
void logs.scan({ at: { gte: at, lt: at } })
// @ts-expect-error no time
void logs.scan({ host: 'a' })
// @ts-expect-error no end
void logs.scan({ host: 'a', at: { gte: at } })
// @ts-expect-error no beginning
void logs.scan({ host: 'a', at: { lt: at } })
// @ts-expect-error no condition at all
void logs.scan({ host: 'a', at: {} })
// @ts-expect-error a range of days alone
void logs.scan({ host: 'a', day: { gte: day, lt: day } })
// @ts-expect-error a range of days does not close the range of instants
void logs.scan({ host: 'a', day: { gte: day, lt: day }, at: { gte: at } })
// @ts-expect-error which a full scan does not lift
void logs.scan({ host: 'a', at: { gte: at } }, { unbounded: true })
// @ts-expect-error no Date
void logs.scan({ host: 'a', at: { gte: '2026-03-05', lt: at } })
// @ts-expect-error undefined would open the range
void logs.scan({ host: 'a', at: { gte: at, lt: undefined } })
// @ts-expect-error unknown column
void logs.scan({ host: 'a', at, lin: 'x' })
// @ts-expect-error misspelt operator
void logs.scan({ host: 'a', at: { gte: at, lt: at, let: at } })
// @ts-expect-error a period takes no prefix
void logs.scan({ host: 'a', at, day: { startsWith: '2026' } })
void logs.scan(defined({ host: 'a', at: { gte: at, lt: at }, line: undefined as string | undefined }))
// @ts-expect-error an end that may be absent
void logs.scan(defined({ host: 'a', at: { gte: at, lt: undefined as Date | undefined } }))
same<InferFullWhere<L>, InferWhere<L>>(true)

// ---- options that take keys
void logs.scan({ host: 'a', at: { gte: at, lt: at } }, { after: key, to: { at }, order: { at: 'asc' }, select: ['day', 'line'] })
void logs.scan({ host: 'a', day }, { from: { ...key, day }, before: await logs.getOrThrow(key), order: { day: 'desc' } })
// @ts-expect-error a period is a Date
void logs.scan({ host: 'a', day }, { from: { day: 1 } })
void logs.scan({ host: 'a', day }).cursorOf(key)
export const selected: Date[] = (await logs.scan({ host: 'a', at }, { select: ['day'] }).toArray()).map((row) => row.day)

// ---- copies: a table without the period lacks nothing, and one with it has a column more
const Hosts = defineTable('hosts', {
  columns: { host: text(), at: timestamp('ms'), seq: uint32(), line: text() },
  partition: ['host'],
  key: ['at', 'seq'],
})
const hosts = db.repository(Hosts)
void copyTable(hosts, logs)
void copyTable(logs, hosts, { map: ({ day: _, ...row }) => row })
// @ts-expect-error a period is a Date
void copyTable(hosts, logs, { map: (row) => ({ ...row, day: 1 }) })

// ---- variables of the types of a predicate
export const byDay: InferWhere<L> = { host: 'a', day }
export const byAt: InferWhere<L> = { host: 'a', at: { gte: at, lt: at } }
export const between = (from: Date, to?: Date): InferWhere<L> => ({
  host: 'a',
  ...(to === undefined ? { day } : { at: { gte: from, lt: to } }),
})

// ---- as numbers
const Numbers = defineTable('numbers', {
  columns: { month: period('month', { of: 'at', as: 'number' }), at: timestamp('us'), id: uint32() },
  partition: ['month'],
  key: ['at', 'id'],
})
const numbers = db.repository(Numbers)
same<InferKey<typeof Numbers>, { at: bigint; id: number; month?: number }>(true)
void numbers.scan({ at: { gte: 0n, lt: 1n } })
void numbers.scan({ month: 0 })
void numbers.scan({ month: { in: [0, 31] }, at: { gte: 0n } })
// @ts-expect-error a month is a number here
void numbers.scan({ month: day })
// @ts-expect-error no end
void numbers.scan({ at: { gte: 0n } })

// ---- first of a key without a partition: by anything, or by its source
const ByDay = defineTable('by_day', {
  columns: { day: period('day', { of: 'at' }), at: timestamp('ms'), host: text() },
  key: ['day', 'at', 'host'],
})
const byDays = db.repository(ByDay)
void byDays.scan({ day: { gte: day } })
void byDays.scan({ day, at: { gte: at } })
void byDays.scan({ at: { gte: at, lte: at } })
void byDays.scan({ at: { gte: at, lte: at }, day: { lt: day }, host: { startsWith: 'a' } })
void byDays.scan({ at: { gte: at } }, { unbounded: true })
void byDays.scan({}, { unbounded: true })
// @ts-expect-error no end
void byDays.scan({ at: { gte: at } })
// @ts-expect-error neither
void byDays.scan({ host: 'a' })
// @ts-expect-error neither
void byDays.scan({})

// ---- in the key after other columns: nothing is required of it
const Behind = defineTable('behind', {
  columns: { host: text(), week: period('week', { of: 'on', offset: '+08:00' }), on: timestamp('ms'), n: uint32() },
  partition: ['host'],
  key: ['week', 'on'],
})
const behind = db.repository(Behind)
same<InferKey<typeof Behind>, { host: string; on: Date; week?: Date }>(true)
void behind.get({ host: 'a', on: at })
void behind.scan({ host: 'a' })
void behind.scan({ host: 'a', on: { gte: at } })
void behind.scan({ host: 'a', week: { gte: at }, n: 1 })
// @ts-expect-error no host
void behind.scan({ week: day })

// ---- with its source in the partition, that is bound as others are
const Both = defineTable('both', {
  columns: { year: period('year', { of: 'on' }), on: date(), id: text() },
  partition: ['year', 'on'],
  key: ['id'],
})
const both = db.repository(Both)
same<InferKey<typeof Both>, { on: Date; id: string; year?: Date }>(true)
void both.scan({ on: day })
void both.scan({ on: { in: [day] }, year: day })
// @ts-expect-error a partition column takes no range
void both.scan({ on: { gte: day, lt: day } })
// @ts-expect-error its source is a partition column too
void both.scan({ year: day })

// ---- two periods, of two columns
const Stays = defineTable('stays', {
  columns: {
    month: period('month', { of: 'from' }),
    year: period('year', { of: 'booked' }),
    from: date(),
    booked: timestamp('ms'),
    id: text(),
  },
  partition: ['month', 'year'],
  key: ['from', 'booked', 'id'],
})
const stays = db.repository(Stays)
same<InferKey<typeof Stays>, { from: Date; booked: Date; id: string; month?: Date; year?: Date }>(true)
void stays.scan({ month: day, year: day })
void stays.scan({ from: { gte: day, lt: day }, booked: at })
void stays.scan({ from: { gte: day, lt: day }, year: day, booked: { gte: at }, id: 'x' })
void stays.scan({ month: day, from: { gte: day }, booked: { in: [at] } })
// @ts-expect-error no year, and no booking
void stays.scan({ from: { gte: day, lt: day } })
// @ts-expect-error one has no end
void stays.scan({ from: { gte: day, lt: day }, booked: { gte: at } })
// @ts-expect-error no month
void stays.scan({ year: day })

// ---- a class says which columns are periods, and has the types of the same table by defineTable()
@Table('logs')
class Log {
  declare [RowKey]?: { partition: ['host', 'day']; key: ['at', 'seq']; period: { day: 'at' }; default: 'seq'; value: 'line' }
  @PartitionKey(1, text()) host!: string
  @PartitionKey(2, desc(period('day', { of: 'at' }))) readonly day!: Date
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @KeyColumn(4, uint32({ default: random(100) })) seq!: number
  @Column(text()) line!: string
}
same<InferKey<Log>, InferKey<L>>(true)
same<InferWholeKey<typeof Log>, InferWholeKey<L>>(true)
same<InferPatch<Log>, InferPatch<L>>(true)
same<InferInsert<Log>, { host: string; at: Date; line: string; day?: Date; seq?: number }>(true)
type Assignable<A, B> = [A] extends [B] ? true : false
same<Assignable<InferWhere<Log>, InferWhere<L>>, true>(true)
same<Assignable<InferWhere<L>, InferWhere<Log>>, true>(true)
same<Assignable<InferFullWhere<Log>, InferFullWhere<L>>, true>(true)
same<Assignable<InferFullWhere<L>, InferFullWhere<Log>>, true>(true)
const classLogs = db.repository(Log)
void classLogs.insert({ host: 'a', at, line: 'x' })
void classLogs.insert(new Log())
void classLogs.get(key)
void classLogs.update({ ...key, day }, { line: 'y' })
export const dayOf: Date = (await classLogs.getOrThrow(key)).day
same<ReturnType<typeof classLogs.decodeKey>, InferWholeKey<L>>(true)
// @ts-expect-error not without its source
void classLogs.get({ host: 'a', day, seq: 1 })
// @ts-expect-error part of the key
void classLogs.update(key, { day })
void classLogs.scan({ host: 'a', at: { gte: at, lt: at } }, { after: key, to: { at } })
void classLogs.scan({ host: 'a', at, day: { gte: day } })
void classLogs.scan({ host: 'a', day: { in: [day] }, at: { gte: at }, line: { startsWith: 'x' } })
// @ts-expect-error no host
void classLogs.scan({ at: { gte: at, lt: at } })
// @ts-expect-error no time
void classLogs.scan({ host: 'a', seq: 1 })
// @ts-expect-error no end
void classLogs.scan({ host: 'a', at: { gte: at } })
// @ts-expect-error a range of days alone
void classLogs.scan({ host: 'a', day: { gte: day, lt: day } })

@Table('by_day')
class DayFirst {
  declare readonly [RowKey]?: {
    readonly key: readonly ['day', 'at', 'host']
    readonly period: { readonly day: 'at' }
    readonly default: 'host'
  }
  @KeyColumn(1, period('day', { of: 'at', as: 'number' })) day?: number
  @KeyColumn(2, timestamp('ms')) at!: Date
  @KeyColumn(3, text({ default: '' })) host!: string
}
same<InferKey<DayFirst>, { at: Date; host: string; day?: number }>(true)
same<InferWholeKey<DayFirst>, { day: number; at: Date; host: string }>(true)
const dayFirst = db.repository(DayFirst)
void dayFirst.put({ at })
void dayFirst.scan({ day: { gte: 1 } })
void dayFirst.scan({ at: { gte: at, lte: at } })
void dayFirst.scan({ at: { gte: at } }, { unbounded: true })
// @ts-expect-error no end
void dayFirst.scan({ at: { gte: at } })
// @ts-expect-error neither
void dayFirst.scan({ host: 'a' })

// ---- inheritance and mixins: the last class names the periods of its parents
abstract class Dated {
  @PartitionKey(1, period('day', { of: 'at' })) day!: Date
  @KeyColumn(2, timestamp('ms')) at!: Date
}
@Table('children')
class Child extends Dated {
  declare [RowKey]?: { partition: ['day']; key: ['at', 'no']; period: { day: 'at' } }
  @KeyColumn(3, uint32()) no!: number
}
same<InferKey<Child>, { at: Date; no: number; day?: Date }>(true)
same<InferInsert<Child>, { at: Date; no: number; day?: Date }>(true)

// ---- a class that names its key columns alone, or none: what it lacks is told by the call
@Table('names')
class Names {
  declare [RowKey]?: 'host' | 'at'
  @PartitionKey(1, text()) host!: string
  @PartitionKey(2, period('day', { of: 'at' })) day?: Date
  @KeyColumn(3, timestamp('ms')) at!: Date
}
@Table('unsaid')
class Unsaid {
  @PartitionKey(1, text()) host!: string
  @PartitionKey(2, period('day', { of: 'at' })) day?: Date
  @KeyColumn(3, timestamp('ms')) at!: Date
}
void db.repository(Unsaid).get({ host: 'a', at })
void db.repository(Unsaid).scan({ host: 'a', at: { gte: at } })
void db.repository(Unsaid).put({ host: 'a', at })

// ---- a decorator compares [RowKey] with its field
class Wrong {
  declare [RowKey]?: {
    partition: ['a', 'b']
    key: ['c', 'd', 'at']
    period: { b: 'c'; d: 'at'; h: 'at' }
    default: 'a' | 'd' | 'g'
    value: 'h'
  }
  // @ts-expect-error not named as a period
  @PartitionKey(1, period('day', { of: 'at' })) a!: Date
  // @ts-expect-error of another source
  @PartitionKey(2, period('day', { of: 'at' })) b!: Date
  @KeyColumn(3, timestamp('ms')) c!: Date
  // @ts-expect-error no period
  @KeyColumn(4, timestamp('ms')) d!: Date
  // @ts-expect-error a Date
  @KeyColumn(5, period('day', { of: 'at' })) at!: string
  // @ts-expect-error no period
  @Column(text()) h!: string
  @Column(text({ default: '' })) g!: string
}
export { Child, Names, Wrong }
