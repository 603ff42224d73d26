// Tested by rules.test.ts and true-advice.test.ts.
import { type SchemaColumn, showNames } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { fewTogether, isDay, keyColumns } from '../subject/columns.js'
import { aPeriod, type Every, everyOf } from '../subject/period-columns.js'
import { boundByAll, hashOfColumns, isSlow, type SaltLevel } from '../subject/spread.js'
import { figure, type Subject } from '../subject/subject.js'

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
      const few = inputs.some(isDay) ? undefined : fewTogether(subject, inputs)
      const areDays = inputs.every(isDay)
      // Several columns with few values each may have many together.
      if (few === undefined && !inputs.some(isDay)) return []
      const most = few?.count
      // A salt of two halves of a whole: three values in two buckets are what was asked for.
      if (most !== undefined && most >= wanted(subject, level)) return []
      const of = spreadingOf(subject, level)
      const salt = subject.schema.salt.map((each, i) => (i === at && of !== undefined ? hashOfColumns(each, of) : each))
      return [
        {
          severity: 'warning',
          ...(few?.stage === 'data' ? { stage: 'data' as const } : {}),
          ...(level.of.length === 1 ? { column: level.of[0] as string } : {}),
          evidence: areDays
            ? `${figure(level.count)} buckets, 1 of them for all rows of ${aPeriod(shortest(inputs))}`
            : `${figure(level.count)} buckets over ${most === undefined ? 'few' : figure(most)} values: at most ${most === undefined ? 'as many' : figure(most)} used`,
          message: `The salt by ${showNames(level.of, "'")} has few values ${areDays ? 'at a time' : 'to compute buckets from'}, so rows of one moment go to few buckets.`,
          ...(of === undefined
            ? { fix: 'Compute the salt from columns that differ from row to row.' }
            : { change: { salt }, fix: `Compute it from columns that differ from row to row: of: [${showNames(of, "'")}].` }),
        },
      ]
    }),
}

/** Places that are enough of a prefix of hexadecimal digits, whose values are as many as those of its columns. */
const enoughPlaces = 16

/** How many values a level should have: one for each bucket, unless it has thousands that are no more than a prefix. */
const wanted = ({ store }: Subject, { count, digits }: SaltLevel): number =>
  digits === undefined ? count : Math.min(count, Math.max(enoughPlaces, 2 * (store?.servers ?? 0)))

/** The columns of a level and others that spread rows: those that every query binds, or else all of the key. undefined if these do not either. */
function spreadingOf(subject: Subject, { of }: SaltLevel): readonly string[] | undefined {
  const others = keyColumns(subject).filter((column) => !column.type.nullable && !of.includes(column.name))
  const bound = boundByAll(subject, others)
  const added = bound.length > 0 ? bound : others
  const all = keyColumns(subject).filter((column) => of.includes(column.name) || added.includes(column))
  const doesSpread = all.some((column) => !isSlow(subject, column)) || (!all.some(isDay) && fewTogether(subject, all) === undefined)
  return doesSpread ? all.map(({ name }) => name) : undefined
}
