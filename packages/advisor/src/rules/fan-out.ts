import type { AdviceRule } from '../finding.js'
import { boundSalt } from '../subject/bound-salt.js'
import { placementOf } from '../subject/store-profile.js'
import { figure } from '../subject/subject.js'
import { asExplained, explained, often } from './explained.js'

/** Requests per second and server from which on the buckets of a scan are a load of their own. */
const manyRequests = 1000

/** A scan that does not know the bucket asks all of them. */
export const fanOut: AdviceRule = explained('fan-out', ['G-35', 'G-37', 'G-44'], (subject) => {
  const isNear = placementOf(subject.store) === 'one place' && subject.store !== undefined
  const limit = isNear ? Infinity : manyRequests * (subject.store?.servers ?? 1)
  const salted = isNear ? undefined : boundSalt(subject)
  return (query, warning) => {
    const { read } = query.explanation?.buckets ?? { read: 1 }
    const requests = read * query.perSecond
    return {
      ...asExplained(`${figure(read)} buckets x ${often(query)} = ${figure(requests)} requests a second`, query, warning),
      severity: requests > limit ? 'warning' : 'info',
      ...salted,
    }
  }
})
