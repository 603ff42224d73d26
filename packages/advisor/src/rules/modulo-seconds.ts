import { saltWeakness, showNames, typeFacts } from '@rowkey/codec/internal'
import { designRules } from '@rowkey/store/adapter'
import type { AdviceRule, Found } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { figure, type Subject } from '../subject/subject.js'

/** The rule of every store, in numbers and with a change; a sample that uses the buckets silences it. */
export const moduloSeconds: AdviceRule = {
  code: 'modulo-seconds',
  stage: 'model',
  guides: ['G-37', 'G-44'],
  find(subject) {
    const { schema, stats } = subject
    if (stats !== undefined && stats.rows >= 100 && stats.buckets.used > 0.8 * stats.buckets.expected) return []
    // Whether there is anything is said by the rule itself.
    if (designRules.flatMap((rule) => rule(schema)).every(({ code }) => code !== 'modulo-seconds')) return []
    return schema.salt.flatMap((_, level) => ofLevel(subject, level))
  },
}

function ofLevel(subject: Subject, at: number): readonly Found[] {
  const { schema } = subject
  const level = schema.salt[at]
  if (level === undefined) return []
  const inputs = keyColumns(subject).filter(({ name }) => level.of.includes(name))
  const weakness = saltWeakness(
    level,
    inputs.map(({ type }) => typeFacts(type).storage),
  )
  if (weakness === undefined) return []
  const salt = schema.salt.map((each, i) => (i === at ? { ...each, count: weakness.instead } : each))
  const [column, ...others] = level.of
  return [
    {
      severity: 'warning',
      ...(column === undefined || others.length > 0 ? {} : { column }),
      evidence: `${figure(level.count)} buckets, whole seconds: ${weakness.used} of ${figure(level.count)} used`,
      message: `The salt of '${schema.name}' by ${showNames(level.of, "'")}: ${weakness.why}.`,
      fix: weakness.fix,
      change: { salt },
    },
  ]
}
