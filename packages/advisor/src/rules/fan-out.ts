import { showNames } from 'rowkey/internal'
import { validChange } from '../apply-fix.js'
import type { AdviceRule, SchemaChange } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { placementOf } from '../subject/store-profile.js'
import { boundByAll, hashOfColumns } from '../subject/spread.js'
import { figure, type Subject } from '../subject/subject.js'
import { asExplained, explained, often } from './explained.js'

/** Requests per second and server from which on the buckets of a scan are a load of their own. */
const manyRequests = 1000

/** A scan that does not know the bucket asks all of them. */
export const fanOut: AdviceRule = explained('fan-out', ['G-35', 'G-37', 'G-44'], (subject) => {
  const isNear = placementOf(subject.store) === 'one place' && subject.store !== undefined
  const limit = isNear ? Infinity : manyRequests * (subject.store?.servers ?? 1)
  const salted = boundSalt(subject)
  return (query, warning) => {
    const { read } = query.explanation?.buckets ?? { read: 1 }
    const requests = read * query.perSecond
    const change = requests > limit ? salted : undefined
    return {
      ...asExplained(`${figure(read)} buckets x ${often(query)} = ${figure(requests)} requests a second`, query, warning),
      severity: requests > limit ? 'warning' : 'info',
      ...(change === undefined
        ? {}
        : { change, fix: `Every query has values for ${showNames(change.salt?.[0]?.of ?? [], "'")}: compute the salt from them alone.` }),
    }
  }
})

/** The salt from columns that all queries bind, so that each reads one bucket. */
function boundSalt(subject: Subject): SchemaChange | undefined {
  const [level, ...others] = subject.schema.salt
  if (level === undefined || others.length > 0) return undefined
  // The rows of a partition would all be in one of its buckets.
  const bound = boundByAll(subject, keyColumns(subject).slice(subject.schema.partitionLength)).filter(({ type }) => !type.nullable)
  if (bound.length === 0) return undefined
  return validChange(subject.schema, {
    salt: [
      hashOfColumns(
        level,
        bound.map(({ name }) => name),
      ),
    ],
  })
}
