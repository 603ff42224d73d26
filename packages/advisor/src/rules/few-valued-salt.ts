import { type SchemaColumn, showNames } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { fewValues, isDay, keyColumns } from '../subject/columns.js'
import { aPeriod, type Every, everyOf } from '../subject/period-columns.js'
import { hashOfColumns, isSlow } from '../subject/spread.js'
import { figure } from '../subject/subject.js'

/** How long all inputs have the same values. */
const shortest = (inputs: readonly SchemaColumn[]): Every =>
  everies.find((every) => inputs.some((column) => everyOf(column) === every)) ?? 'day'
const everies: readonly Every[] = ['hour', 'day', 'week', 'month', 'year']

/** A hash has no more values than what it hashes. */
export const fewValuedSalt: AdviceRule = {
  code: 'few-valued-salt',
  stage: 'model',
  guides: ['G-32', 'G-34'],
  find: (subject) =>
    subject.schema.salt.flatMap((level, at): readonly RuleFinding[] => {
      const inputs = keyColumns(subject).filter(({ name }) => level.of.includes(name))
      if (!inputs.every((column) => isSlow(subject, column))) return []
      const counts = inputs.map((column) => (isDay(column) ? undefined : fewValues(subject, column)?.count))
      const most = counts.reduce<number | undefined>(
        (product, count) => (product === undefined || count === undefined ? undefined : product * count),
        1,
      )
      // A salt of two halves of a whole: three values in two buckets are what was asked for.
      if (most !== undefined && most >= level.count) return []
      const others = keyColumns(subject).filter((column) => !column.type.nullable && !level.of.includes(column.name))
      const of = [...level.of, ...others.map(({ name }) => name)]
      const salt = subject.schema.salt.map((each, i) => (i === at ? hashOfColumns(each, of) : each))
      const areDays = inputs.every(isDay)
      const names = showNames(level.of, "'")
      return [
        {
          severity: 'warning',
          ...(inputs.some((column) => fewValues(subject, column)?.stage === 'data') ? { stage: 'data' as const } : {}),
          ...(level.of.length === 1 ? { column: level.of[0] as string } : {}),
          evidence: areDays
            ? `${figure(level.count)} buckets, 1 of them for all rows of ${aPeriod(shortest(inputs))}`
            : `${figure(level.count)} buckets over ${most === undefined ? 'few' : figure(most)} values: at most ${most === undefined ? 'as many' : figure(most)} used`,
          message: `The salt by ${names} has few values ${areDays ? 'at a time' : 'to compute buckets from'}, so rows of one moment go to few buckets.`,
          ...(others.length === 0
            ? { fix: 'Compute the salt from columns that differ from row to row.' }
            : { change: { salt }, fix: `Compute it from columns that differ from row to row: of: [${showNames(of, "'")}].` }),
        },
      ]
    }),
}
