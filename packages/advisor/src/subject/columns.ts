// Tested by rules.test.ts.
import { counted, type SchemaColumn, typeFacts } from 'rowkey/internal'
import type { ColumnStats } from '../data/column-counter.js'
import { combinations, type Combinations } from '../data/drawn-rows.js'
import { isPeriod } from './period-columns.js'
import { figure, percent, type Subject } from './subject.js'
import { snake, timeOf } from './time.js'

/** What a claim about a column rests on, in numbers or words. */
export interface Claim {
  readonly stage: 'model' | 'data'
  /** A phrase for the evidence. */
  readonly because: string
}

/** A sample that is smaller says nothing. */
export const enoughRows = 100

/** What a sample says of a column, if it is large enough to say something. */
export function statsOf({ stats }: Subject, { name }: SchemaColumn): ColumnStats | undefined {
  return stats === undefined || stats.rows < enoughRows ? undefined : stats.columns[name]
}

/** What a sample says of several columns together, of one as exactly as the whole sample does; undefined if there is none that is large enough. */
export function countedTogether(subject: Subject, columns: readonly SchemaColumn[]): Combinations | undefined {
  const { stats, schema } = subject
  const [first, ...others] = columns
  if (stats === undefined || first === undefined || stats.rows < enoughRows) return undefined
  if (others.length > 0) return combinations(stats, schema, columns)
  const { distinct, top } = stats.columns[first.name] ?? {}
  return distinct === undefined || top === undefined ? undefined : { rows: stats.rows, distinct, top: Math.round(top * stats.rows) }
}

/** The key columns, partition columns first. */
export const keyColumns = ({ schema }: Pick<Subject, 'schema'>): readonly SchemaColumn[] => schema.columns.slice(0, schema.keyLength)

/** Whole names, and the ends of names, of columns that count up. */
const countingName = /(^|_)(seq|sequence|serial|counter|offset|autoincrement|auto_?id|row_?id)$|^id$/
/** Of columns with few values. */
const fewName = /(^|_)(type|kind|status|state|level|category|country|gender|region|flag|enum)$/

/** Whether a column has one value for all rows of a day, or of another period. */
export const isDay = (column: SchemaColumn): boolean => isPeriod(column) || timeOf(column)?.unit === 'days'

/**
 * Why new values of a column are larger than all before; undefined if they are not, or nothing says so. For the first column rows beat types, unless
 * they are sorted: birthdays are dates and come in any order. Of a later one they can only say that it counts up, because within the columns before it there may be
 * an order that the whole does not have.
 */
export function countsUp(subject: Subject, column: SchemaColumn): Claim | undefined {
  const { type } = column
  const { storage, countsUp: isClock } = typeFacts(type)
  const stats = statsOf(subject, column)
  if (stats !== undefined && stats.distinct >= 10 && isBelievable(subject, column)) {
    if (stats.rising >= 0.9)
      return {
        stage: 'data',
        because: `later values are larger in ${percent(stats.rising)} of ${figure(subject.stats?.rows ?? 0)} sampled rows`,
      }
    if (column === keyColumns(subject)[0]) return undefined
  }
  const time = timeOf(column)
  // What is known of values beats a name.
  if (time !== undefined && (time.by === 'type' || !comesBack(subject, column))) return { stage: 'model', because: time.because }
  if (isClock) return { stage: 'model', because: `values begin with the time, in ms` }
  if (storage.class === 'text') return undefined
  if (comesBack(subject, column)) return undefined
  const name = snake(column.name)
  // A number that is the whole key is usually given out by a counter.
  const isWholeKey = subject.schema.keyLength === 1
  if (isWholeKey && (storage.class === 'int' || storage.class === 'bigint') && countingName.test(name))
    return { stage: 'model', because: 'a number that is the whole key, by its name a counter' }
  if (countingName.test(name) && name !== 'id') return { stage: 'model', because: 'by its name a counter' }
  return undefined
}

/** Whether a column has so few values, by numbers that were given, that it neither counts rows nor seconds: of a date 64, otherwise those of a day. */
function comesBack(subject: Subject, column: SchemaColumn): boolean {
  const given = subject.writes?.distinct?.[column.name]
  const isDate = /date|day/.test(snake(column.name))
  return fewValues(subject, column) !== undefined || (given !== undefined && given < 86_400 && !isDate)
}

/** Whether rows tell if a column counts up: random ids were probably sorted if they seem to, unless rows are as they were written. */
function isBelievable({ stats }: Subject, { type }: SchemaColumn): boolean {
  if (stats?.order !== undefined) return stats.order === 'written'
  const { storage } = typeFacts(type)
  return !(storage.class === 'text' && storage.format === 'uuid')
}

/** How many different values a column has. */
export interface Distinct {
  readonly count: number
  /** Whether there may be more, because a sample saw most of its values only a few times. */
  readonly isLeast: boolean
}

/** How many different values a column has, as far as anything says so: a number that was given says more than rows that have not seen all. */
export function distinctOf(subject: Subject, column: SchemaColumn): Distinct | undefined {
  const stats = statsOf(subject, column)
  const given = subject.writes?.distinct?.[column.name]
  const seen = stats?.distinct ?? 0
  if (stats !== undefined && seen <= (subject.stats?.rows ?? 0) / 10) return { count: seen, isLeast: false }
  const count = given === undefined ? undefined : Math.max(given, seen)
  if (count !== undefined) return { count, isLeast: false }
  if (stats !== undefined) return { count: seen, isLeast: true }
  const few = fewValues(subject, column)?.count
  return few === undefined ? undefined : { count: few, isLeast: false }
}

/** How few values a column has, and why; undefined if they are many, or nothing says so. */
export function fewValues(subject: Subject, column: SchemaColumn): (Claim & { readonly count: number | undefined }) | undefined {
  // A sample is of some periods, and others come.
  if (isPeriod(column)) return undefined
  const stats = statsOf(subject, column)
  if (stats !== undefined) {
    const rows = subject.stats?.rows ?? 0
    if (stats.distinct > Math.min(64, rows / 20)) return undefined
    return {
      stage: 'data',
      count: stats.distinct,
      because: `${counted(stats.distinct, 'different value')} in ${figure(rows)} sampled rows`,
    }
  }
  const { type } = column
  const given = subject.writes?.distinct?.[column.name]
  if (given !== undefined) return given > 64 ? undefined : { stage: 'model', count: given, because: counted(given, 'different value') }
  if (typeFacts(type).storage.class === 'boolean') return { stage: 'model', count: 2, because: '2 different values' }
  if (type.codes !== undefined && type.codes.length <= 64)
    return { stage: 'model', count: type.codes.length, because: `a dictionary of ${counted(type.codes.length, 'value')}` }
  if (fewName.test(snake(column.name)) && ['text', 'int'].includes(typeFacts(type).storage.class))
    return { stage: 'model', count: undefined, because: 'by its name an enumeration' }
  return undefined
}

/** Values of an enumeration that nobody has counted: a guess. */
const usualValues = 4

/**
 * How few values several columns have together, each of which has few; undefined if they are many. Of enumerations that nobody has counted, `count` is
 * absent, unless rows say it.
 */
export function fewTogether(
  subject: Subject,
  columns: readonly SchemaColumn[],
): (Claim & { readonly count: number | undefined }) | undefined {
  const each = columns.map((column) => fewValues(subject, column))
  const [first, ...others] = each
  if (first === undefined || others.length === 0) return first
  if (each.some((few) => few === undefined)) return undefined
  const sample = countedTogether(subject, columns)
  if (sample !== undefined && sample.distinct > Math.min(64, sample.rows / 20)) return undefined
  if (sample !== undefined) {
    const because = `${ofColumns(sample.distinct, columns)} in ${figure(sample.rows)} sampled rows`
    return { stage: 'data', count: sample.distinct, because }
  }
  const product = each.reduce((all, few) => all * (few?.count ?? usualValues), 1)
  if (product > 64) return undefined
  const isKnown = each.every((few) => few?.count !== undefined)
  return {
    stage: each.some((few) => few?.stage === 'data') ? 'data' : 'model',
    count: isKnown ? product : undefined,
    because: isKnown ? ofColumns(product, columns) : each.map((few) => few?.because ?? '').join(', '),
  }
}

const ofColumns = (count: number, columns: readonly SchemaColumn[]): string =>
  `${counted(count, 'combination')} of ${columns.length} columns`

/** Whether a column has neither few values nor values that count up, as far as is known. */
export const isScattered = (subject: Subject, column: SchemaColumn): boolean =>
  countsUp(subject, column) === undefined && fewValues(subject, column) === undefined
