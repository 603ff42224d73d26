import { showNames } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { boundSalt } from '../subject/bound-salt.js'
import { isNamed } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'

/** A prefix of hex digits has more values than a scan can merge. */
export const hashPrefixRange: AdviceRule = {
  code: 'hash-prefix-range',
  stage: 'queries',
  guides: ['G-35'],
  find(subject) {
    const { schema } = subject
    const level = schema.salt.find(({ digits }) => digits !== undefined)
    if (level === undefined) return []
    const unbound = (query: Subject['queries'][number]): boolean => level.of.some((name) => !isNamed(query, name))
    const names = showNames(level.of, "'")
    const bound = boundSalt(subject)
    const salt = schema.salt.map((each) => (each === level ? { kind: 'hash' as const, of: each.of, count: 16, seed: 0 } : each))
    return subject.queries
      .filter((query) => query.refusal?.code === 'FAN_OUT_EXCEEDED' && unbound(query))
      .map(({ text }): RuleFinding => ({
        severity: 'error',
        ...(level.of.length === 1 ? { column: level.of[0] as string } : {}),
        evidence: `${figure(level.count)} prefixes to merge for: ${text}`,
        message: `The prefix is a hash of ${names}, which the query does not bind, so the scan would merge ${figure(level.count)} ranges and is refused.`,
        ...(bound ?? {
          fix: `Use few buckets instead: bucket({ of: ${level.of.length === 1 ? names : `[${names}]`}, count: 16 }).`,
          change: { salt },
        }),
      }))
      .slice(0, 1)
  },
}
