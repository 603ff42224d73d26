import { saltWeakness, showNames, typeFacts } from '@rowkey/codec/internal'
import type { SchemaColumn } from '@rowkey/model'
import type { AdviceRule, Found } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { figure, type Subject } from '../subject/subject.js'
import { timeOf } from '../subject/time.js'

/** The rule of every store, in numbers and with a change, and also for times by name; a sample that uses the buckets silences it. */
export const moduloSeconds: AdviceRule = {
  code: 'modulo-seconds',
  stage: 'model',
  guides: ['G-37', 'G-44'],
  find(subject) {
    const { schema, stats } = subject
    if (stats !== undefined && stats.rows >= 100 && stats.buckets.used > 0.8 * stats.buckets.expected) return []
    return schema.salt.flatMap((_, level) => ofLevel(subject, level))
  },
}

function ofLevel(subject: Subject, at: number): readonly Found[] {
  const { schema } = subject
  const level = schema.salt[at]
  if (level === undefined) return []
  const inputs = keyColumns(subject).filter(({ name }) => level.of.includes(name))
  const weakness = saltWeakness(level, inputs.map(storageInUnit))
  if (weakness === undefined) return []
  const salt = schema.salt.map((each, i) => (i === at ? { ...each, count: weakness.instead } : each))
  const [column, ...others] = level.of
  const isAssumed = inputs.some((input) => isInstant(input) && timeOf(input)?.unit === undefined)
  return [
    {
      severity: isAssumed ? 'info' : 'warning',
      ...(column === undefined || others.length > 0 ? {} : { column }),
      evidence: `${figure(level.count)} buckets, whole seconds${isAssumed ? ' in ms' : ''}: ${weakness.used} of ${figure(level.count)} used`,
      message: `The salt of '${schema.name}' by ${showNames(level.of, "'")}: ${weakness.why}.`,
      fix: weakness.fix,
      change: { salt },
    },
  ]
}

type Storage = Parameters<typeof saltWeakness>[1][number]

/** A number that by its name is a time counts ms, as the clocks of most languages do, if its name says nothing else. */
function storageInUnit(column: SchemaColumn): Storage {
  const { storage } = typeFacts(column.type)
  return isInstant(column) ? ({ ...storage, counts: timeOf(column)?.unit ?? 'ms' } as Storage) : storage
}

const isInstant = (column: SchemaColumn): boolean =>
  timeOf(column) !== undefined && ['int', 'bigint'].includes(typeFacts(column.type).storage.class)
