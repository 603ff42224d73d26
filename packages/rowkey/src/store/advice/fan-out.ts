import type { Rule } from '../contract/finding.js'
import type { ReadSubject } from './read-facts.js'
import { showNames } from '#codec/internal'

/** Without the values that the salt is made of, every bucket may have matching rows. */
export const fanOut: Rule<ReadSubject, 'fan-out'> = ({ read: { kind, buckets } }) => {
  const [column, ...others] = buckets.unbound
  if (buckets.read <= 1 || column === undefined || kind === 'FULL SCAN') return []
  const unbound = showNames(buckets.unbound, "'")
  return [
    {
      code: 'fan-out',
      severity: 'info',
      ...(others.length === 0 ? { column } : {}),
      message: `It reads ${buckets.read} of ${buckets.of} buckets, because the salt needs ${unbound}, which the query does not bind with = or in.`,
    },
  ]
}
