import { type SchemaColumn, typeFacts } from 'rowkey/internal'
import { weakSalts } from 'rowkey/adapter'
import type { AdviceRule } from '../finding.js'
import { figure } from '../subject/subject.js'
import { timeOf } from '../subject/time.js'

/** The rule of every store, in numbers and with a change, and also for times by name; a sample that uses the buckets silences it. */
export const moduloSeconds: AdviceRule = {
  code: 'modulo-seconds',
  stage: 'model',
  guides: ['G-37', 'G-44'],
  find({ schema, stats }) {
    if (stats !== undefined && stats.rows >= 100 && stats.buckets.used > 0.8 * stats.buckets.expected) return []
    return weakSalts(schema, storageInUnit).map(({ finding: { column, message, fix = '' }, facts: { at, inputs, used, instead } }) => {
      const buckets = figure(schema.salt[at]?.count ?? 0)
      const isAssumed = inputs.some((input) => isInstant(input) && timeOf(input)?.unit === undefined)
      return {
        severity: isAssumed ? 'info' : 'warning',
        ...(column === undefined ? {} : { column }),
        evidence: `${buckets} buckets, whole seconds${isAssumed ? ' in ms' : ''}: ${used} of ${buckets} used`,
        message,
        fix,
        change: { salt: schema.salt.map((each, i) => (i === at ? { ...each, count: instead } : each)) },
      }
    })
  },
}

type Storage = ReturnType<typeof typeFacts>['storage']

/** A number that by its name is a time counts ms, as the clocks of most languages do, if its name says nothing else. */
function storageInUnit(column: SchemaColumn): Storage {
  const { storage } = typeFacts(column.type)
  return isInstant(column) ? ({ ...storage, counts: timeOf(column)?.unit ?? 'ms' } as Storage) : storage
}

const isInstant = (column: SchemaColumn): boolean =>
  timeOf(column) !== undefined && ['int', 'bigint'].includes(typeFacts(column.type).storage.class)
