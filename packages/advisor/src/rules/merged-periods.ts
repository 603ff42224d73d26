// Tested by periods.test.ts.
import type { SchemaColumn } from 'rowkey/internal'
import type { AdviceRule, SchemaChange } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { countsOf } from '../subject/periods.js'
import { figure, type Subject } from '../subject/subject.js'
import { asExplained, explained, often } from './explained.js'

/** Dates that the application computes, and merges for each page. */
export const mergedPeriods: AdviceRule = explained('merged-periods', [], (subject) => (query, warning) => {
  const { least = 1 } = query.explanation?.requests ?? {}
  const column = keyColumns(subject).find(({ name }) => name === warning.column)
  const change = column === undefined ? undefined : asPeriod(subject, column)
  return {
    ...asExplained(
      `${figure(least)} requests a page x ${often(query)} = ${figure(least * query.perSecond)} requests a second`,
      query,
      warning,
    ),
    ...(change === undefined ? {} : { change }),
  }
})

/** Only a date has the same values as a period. */
function asPeriod(subject: Subject, column: SchemaColumn): SchemaChange | undefined {
  const key = keyColumns(subject)
  const source = key.slice(key.indexOf(column) + 1).find((each) => ![undefined, 'days'].includes(countsOf(each)))
  if (source === undefined || countsOf(column) !== 'days') return undefined
  return {
    types: {
      [column.name]: {
        kind: 'period',
        every: /week|month|year/i.exec(column.name)?.[0].toLowerCase() ?? 'day',
        of: source.name,
        as: column.type.as ?? 'Date',
        desc: source.type.desc,
        nullable: false,
      },
    },
  }
}
