// Also tested by packages/rowkey/test/mapper/growth.test.ts.
import type { ColumnType, TypeData, TypeOptions } from '../type/column-type.js'
import { quoted, show } from '../show.js'
import { invalidType, makeType } from '../type/make-type.js'
import { derived, typeImpl, type Conversion, type Periods, type TypeImpl } from '../type/type-impl.js'
import { dayMs, dayOfText, offsetMs } from './period-days.js'
import { date, timestamp } from './time.js'

/** The lengths of a {@link period}. */
export type Every = 'hour' | 'day' | 'week' | 'month' | 'year'

type Day = Exclude<Every, 'hour'>

/** From a day on, periods have another length. The first one of a list has no `from`. */
export interface EveryFrom {
  /** The first day, as `'2027-01-01'`, by the offset of the period. A period of both lengths begins there. */
  readonly from?: string
  readonly every: Every
}

type Change = Required<EveryFrom> & { readonly every: Day }

const hourMs = 3_600_000
/** The first and last instant and day that columns can hold. */
const lastInstant = 8.64e15
const lastDay = lastInstant / dayMs

/** Periods are counted from that of 1970-01-01; their first days have no gaps. */
interface Calendar {
  /** The number of the period that contains a day. */
  at(day: number): number
  /** Its first day. */
  start(number: number): number
  /** Which values are the first of one. */
  readonly first: string
}

const calendars: Readonly<Record<Day, Calendar>> = {
  day: { at: (day) => day, start: (number) => number, first: 'a Date at midnight UTC' },
  // 1970-01-01 is a Thursday; weeks begin on Mondays, as in ISO 8601.
  week: { at: (day) => Math.floor((day + 3) / 7), start: (number) => 7 * number - 3, first: 'a Monday, as a Date at midnight UTC' },
  month: { at: monthOf, start: firstDay, first: 'the first day of a month, as a Date at midnight UTC' },
  year: {
    at: (day) => Math.floor(monthOf(day) / 12),
    start: (number) => firstDay(12 * number),
    first: 'the first day of a year, as a Date at midnight UTC',
  },
}

function monthOf(day: number): number {
  const at = new Date(day * dayMs)
  return (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth()
}

/** Of a month; NaN beyond the days of a Date. */
function firstDay(month: number): number {
  const year = 1970 + Math.floor(month / 12)
  // Date.UTC() takes the years from 0 to 99 for those from 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 12 * Math.floor(month / 12), 1) / dayMs
}

/** A calendar from its first day on. */
interface Piece {
  readonly day: number
  readonly calendar: Calendar
  /** Of its first period. */
  readonly number: number
}

/** One calendar after the other; each begins where a period of the one before it begins, too. */
function joined(pieces: readonly Piece[]): Pick<Calendar, 'at' | 'start'> {
  const [first] = pieces as [Piece]
  if (pieces.length === 1) return first.calendar
  const pieceOf = (reaches: (piece: Piece) => boolean): Piece => pieces.findLast(reaches) ?? first
  return {
    at(day) {
      const { calendar, number, day: from } = pieceOf((piece) => piece.day <= day)
      return number + calendar.at(day) - calendar.at(from)
    },
    start(number) {
      const piece = pieceOf((each) => each.number <= number)
      return piece.calendar.start(number - piece.number + piece.calendar.at(piece.day))
    },
  }
}

function piecesOf({ every, changes = [] }: TypeData): readonly Piece[] {
  const pieces: Piece[] = []
  for (const { from, every: next } of [{ from: '1970-01-01', every: every as Day }, ...(changes as readonly Change[])]) {
    const last = pieces.at(-1)
    const [day, calendar] = [dayOfText(from), calendars[next]]
    // The first one is counted like its calendar, from 1970, however early it begins.
    if (last === undefined) pieces.push({ day: calendar.start(0), calendar, number: 0 })
    else pieces.push({ day, calendar, number: last.number + last.calendar.at(day) - last.calendar.at(last.day) })
  }
  return pieces
}

/** The periods that a column can hold. Instants before the first and after the last one belong to these two. */
function periodsOf(
  type: TypeData,
): Omit<Periods, 'from'> & { readonly from: (ms: number) => number; readonly ofDay: (day: number) => number } {
  const east = offsetMs(type.offset)
  const within = (first: number, last: number, number: number): number => Math.min(last, Math.max(first, number))
  if (type.every === 'hour') {
    const number = (ms: number): number => Math.floor((ms + east) / hourMs)
    const at = (hour: number): number => hour * hourMs - east
    const [first, last] = [Math.ceil((east - lastInstant) / hourMs), number(lastInstant)]
    const from = (ms: number): number => at(within(first, last, number(ms)))
    return { from, ofDay: (day) => from(day * dayMs), number: (value) => number(value as number), at }
  }
  const { at: number, start } = joined(piecesOf(type))
  const last = number(lastDay)
  const first = start(number(-lastDay)) >= -lastDay ? number(-lastDay) : number(-lastDay) + 1
  const compute = (day: number): number => start(within(first, last, number(within(-lastDay, lastDay, day))))
  // The rows of a page are mostly of one day.
  const known = { day: NaN, start: NaN }
  const ofDay = (day: number): number => {
    if (day !== known.day) {
      known.start = compute(day)
      known.day = day
    }
    return known.start
  }
  return { from: (ms) => ofDay(Math.floor((ms + east) / dayMs)), ofDay, number: (value) => number(value as number), at: start }
}

/** What its values are without their rule. */
const storedAs = ({ every, as }: TypeData): TypeData =>
  every === 'hour' ? timestamp('ms', { as: as as 'Date' }) : date({ as: as as 'Date' })

const implOf = (type: TypeData): TypeImpl => typeImpl(storedAs(type))

function periodConversion(type: TypeData, column: string): Conversion {
  const stored = storedAs(type)
  const conversion = typeImpl(stored).conversion(stored, column)
  const { number, at } = periodsOf(type)
  const { every, offset, as } = type
  const zone = offset === undefined ? 'UTC' : `at ${offset}`
  const first =
    type.changes !== undefined
      ? 'the first day of a period, as a Date at midnight UTC'
      : every === 'hour'
        ? `the beginning of an hour ${zone}, as a Date`
        : calendars[every as Day].first
  return {
    ...conversion,
    parse(given) {
      const value = conversion.parse(given)
      return value !== undefined && at(number(value)) === value ? value : undefined
    },
    fault: (given) =>
      conversion.parse(given) === undefined
        ? conversion.fault?.(given)
        : `it is not the beginning of ${type.changes !== undefined ? 'a period' : every === 'hour' ? 'an hour' : `a ${every ?? ''}`}`,
    expected: as === 'number' ? `${first.replace(/, as a Date.*| as a Date.*/, '')}, as the number that the column stores` : first,
  }
}

const everies: readonly unknown[] = ['hour', 'day', 'week', 'month', 'year'] satisfies readonly Every[]

/** The first argument of the constructor. */
const lengthsText = ({ every = 'day', changes }: TypeData): string =>
  changes === undefined
    ? quoted(every)
    : `[${[`{ every: ${quoted(every)} }`, ...changes.map((next) => `{ from: ${quoted(next.from)}, every: ${quoted(next.every)} }`)].join(', ')}]`

export const periodImpl: TypeImpl = {
  conversion: periodConversion,
  storage: (type) => implOf(type).storage(storedAs(type)),
  accepts: (type, value) =>
    typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= (type.every === 'hour' ? lastInstant : lastDay),
  canonical: (type) => derived(type, { as: 'number' }),
  encoding: (type, after) => (implOf(type).encoding as NonNullable<TypeImpl['encoding']>)(storedAs(type), after),
  // Of a caller's values this code would also take those within a period.
  compile: (type, emit, shape) =>
    shape === 'key' && type.every !== 'day' ? undefined : implOf(type).compile?.(storedAs(type), emit, shape),
  fromJSON: (options, { every, changes, of, offset, as }) =>
    period(changes === undefined ? (every as Every) : [{ every: every as Every }, ...(changes as readonly EveryFrom[])], {
      ...options,
      of: of as string,
      offset: offset as string,
      as: as as 'Date',
    }),
  positional: ['every', 'changes'],
  firstArgument: lengthsText,
  parameters: (type) => [
    lengthsText(type),
    `{ of: ${quoted(type.of ?? '')}${type.offset === undefined ? '' : `, offset: ${quoted(type.offset)}`} }`,
  ],
  jsType: (type) => implOf(type).jsType?.(storedAs(type)),
  kudu: 'encoded',
}

/** Options of {@link period}. */
export interface PeriodOptions<Of extends string, A> extends TypeOptions {
  /** The column that it is computed from: an instant or a date of the key, after it. */
  readonly of: Of
  /**
   * Hours and minutes east of Greenwich, from `'-18:00'` to `'+18:00'`: when days begin, the same all year. A time zone's name is refused, because
   * its days have 23 and 25 hours twice a year, and its rules change. Default UTC.
   */
  readonly offset?: string
  readonly as?: A
}

interface As {
  Date: Date
  number: number
}

/**
 * The hour, day, week, month or year of another column of the key, by its beginning. Rowkey computes it on write, checks it on read and finds it
 * for queries: `{ at: { gte, lt } }` reads the days between them, one after the other. It goes before its source in the key and has the direction
 * of it, so a table of logs has `partition: ['host', 'day'], key: ['at', 'seq']`. Hours are instants, stored as `timestamp('ms')`, the others first days, stored as `date()`; weeks begin on Mondays.
 *
 * `every` can also be a list of lengths that follow each other, each from a day on: see {@link EveryFrom}. To an existing table more may be appended.
 *
 * @throws RowkeyError `INVALID_COLUMN_TYPE`
 * @example
 * ```ts
 * const columns = { host: text(), day: period('day', { of: 'at' }), at: timestamp('ms'), seq: uint32(), line: text() }
 * Object.keys(columns) //=> [ 'host', 'day', 'at', 'seq', 'line' ]
 * ```
 */
export function period<const Of extends string, A extends 'Date' | 'number' = 'Date'>(
  every: Every | readonly EveryFrom[],
  options: PeriodOptions<Of, A>,
): ColumnType<As[A], 'range' | 'computed'> & { readonly of: Of } {
  const fail = (message: string): Error => invalidType('period', `period(${show(every)}): ${message}`)
  const [length, changes] = lengthsOf(every, fail)
  const { of, offset, as = 'Date' } = (options as PeriodOptions<Of, A> | undefined) ?? ({} as PeriodOptions<Of, A>)
  if (typeof of !== 'string' || of === '') throw fail(`of is ${show(of)}. Name the column of an instant or a date, such as { of: 'at' }.`)
  if (offset !== undefined && !isOffset(offset))
    throw fail(
      `offset is ${show(offset)}. Give hours and minutes from '-18:00' to '+18:00', not a time zone: the days of a zone differ in length.`,
    )
  if (as !== 'Date' && as !== 'number') throw fail(`as is ${show(as)}. Give 'Date' or 'number'.`)
  const data = {
    kind: 'period',
    every: length,
    ...(changes.length === 0 ? {} : { changes }),
    of,
    as,
    ...(offset === undefined ? {} : { offset }),
  } as const
  return makeType<As[A], 'range' | 'computed'>(data, periodImpl, options, ['of', 'offset', 'as']) as never
}

/** The first length, and the later ones. */
function lengthsOf(given: unknown, fail: (message: string) => Error): readonly [Every, readonly Change[]] {
  if (!Array.isArray(given)) {
    if (!everies.includes(given))
      throw fail("give 'hour', 'day', 'week', 'month' or 'year', or a list of lengths with the days from which they hold.")
    return [given as Every, none]
  }
  const list = given as readonly (Partial<EveryFrom> | null | undefined)[]
  const [first, ...later] = list
  for (const [i, each] of list.entries()) {
    const unknown = Object.keys(each ?? {}).find((name) => name !== 'from' && name !== 'every')
    if (unknown !== undefined || !everies.includes(each?.every))
      throw fail(`item ${i + 1} of the list is ${show(each)}. Give { from: '2027-01-01', every: 'day' }.`)
  }
  if (first?.every === undefined || first.from !== undefined)
    throw fail('the first item of the list holds from the beginning, so it has every and no from.')
  if (later.length > 0 && list.some((each) => each?.every === 'hour'))
    throw fail(
      "'hour' cannot change, nor become another length, because hours are stored in another form. Create a new table, and copy the rows.",
    )
  const changes = later.map((each) => Object.freeze({ from: each?.from as string, every: each?.every as Day }))
  for (const [i, { from, every }] of changes.entries()) {
    const day = typeof from === 'string' ? dayOfText(from) : NaN
    const before = i === 0 ? (first.every as Day) : (changes[i - 1] as Change).every
    if (Number.isNaN(day)) throw fail(`item ${i + 2} of the list has from ${show(from)}. Give a day, such as '2027-01-01'.`)
    if (i > 0 && day <= dayOfText((changes[i - 1] as Change).from))
      throw fail(`item ${i + 2} of the list has from ${show(from)}, which is not after the item before it.`)
    const begins = (length: Day): boolean => calendars[length].start(calendars[length].at(day)) === day
    if (!begins(before) || !begins(every))
      throw fail(`${from} does not begin a ${begins(before) ? every : before}. Change from '${before}' to '${every}' where both begin.`)
  }
  return [first.every, Object.freeze(changes)]
}

const none: readonly Change[] = Object.freeze([])

const isOffset = (given: unknown): boolean =>
  typeof given === 'string' && /^[+-](0\d|1[0-7]):[0-5]\d$|^[+-]18:00$/.test(given) && given.slice(1) !== '00:00'

/**
 * How the values of a period follow from those of its source, or what is wrong with that.
 *
 * @example
 * ```ts
 * periodOf(period('day', { of: 'at' }), text()) //=> 'is text, not an instant or a date'
 * ```
 */
export function periodOf(type: TypeData, source: TypeData): Periods | string {
  const { storage } = typeImpl(source)
  const stored = storage(source)
  const counts = 'counts' in stored ? stored.counts : undefined
  if (counts === undefined) return `is ${source.kind}, not an instant or a date`
  if (source.nullable) return 'may be null'
  const { every, offset } = type
  const { from, ofDay, number, at } = periodsOf(type)
  if (counts === 'days') {
    if (every === 'hour') return 'is a date, which has no hours'
    if (offset !== undefined) return 'is a date, for which there is no offset'
    return { from: (day) => ofDay(day as number), number, at }
  }
  if (counts === 'ms') return { from, number, at }
  const perMs = counts === 'us' ? 1000n : 1_000_000n
  return { from: (value) => from(Number(((value as bigint) - ((((value as bigint) % perMs) + perMs) % perMs)) / perMs)), number, at }
}

/**
 * Whether a period begins on a day.
 *
 * @example
 * ```ts
 * beginsPeriod(period('month', { of: 'at' }), dayOfText('2027-01-02')) //=> false
 * ```
 */
export function beginsPeriod(type: TypeData, day: number): boolean {
  const { number, at } = periodsOf(type)
  return type.every === 'hour' || at(number(day)) === day
}
