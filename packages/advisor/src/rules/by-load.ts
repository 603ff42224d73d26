// Tested by severity.test.ts.
import type { Finding } from '../finding.js'
import { demandsOn, demandText } from '../subject/demand.js'
import { factsOf, titleOf, type StoreProfile } from '../subject/store-profile.js'
import { figure, ratesOf, type Subject } from '../subject/subject.js'
import { isLoadKnown, mattersFrom, severities, weightOf, weightOfWrites } from '../subject/weight.js'

/** What the load makes of a finding that everything is in one place, or in a few that grow. */
export interface ByLoad {
  readonly severity?: Finding['severity']
  /** What the evidence ends with. */
  readonly evidence?: string
  /** What the message ends with: which load a warning assumes. */
  readonly assumed?: string
}

/** Without a load, the message itself says what a partition takes; where there is no figure, from which load on the finding matters. */
export function byLoad(subject: Subject): ByLoad {
  const { store } = subject
  const limits = factsOf(store)?.partition
  if (store === undefined || limits === undefined)
    return { assumed: mattersFrom(subject, 1), ...(weightOfWrites(subject, 1) === 'light' ? { severity: 'info' } : {}) }
  if (limits.rows === undefined) return byRate(subject, store)
  return isLoadKnown(subject) ? byGrowth(subject, limits.rows) : {}
}

/** All is asked of the only partition. */
function byRate(subject: Subject, store: StoreProfile): ByLoad {
  const part = ({ busiest, limit }: { readonly busiest: number; readonly limit: number }): number => busiest / limit
  const [worst] = demandsOn(subject, 1).toSorted((a, b) => part(b) - part(a))
  if (worst === undefined) return {}
  const weight = weightOf(part(worst))
  // Reads alone can be too many, but nobody knows that they are all.
  if (!isLoadKnown(subject) && weight !== 'too heavy') return {}
  return {
    severity: severities[weight],
    evidence: `; ${figure(worst.busiest)} ${demandText(worst)} a second, and ${titleOf(store)} takes ${figure(worst.limit)}`,
  }
}

const secondsPerYear = 31_536_000

/** Each partition grows with the table, until its rows expire. */
function byGrowth(subject: Subject, most: number): ByLoad {
  const { stats, schema } = subject
  const { inserts = 0, deletes = 0 } = ratesOf(subject)
  const seconds = Math.min(secondsPerYear, (schema.ttl ?? Infinity) / 1000)
  const added = seconds * Math.max(0, inserts - deletes)
  // What there is will have expired when the time to live is over.
  const left = seconds < secondsPerYear ? 0 : (stats?.total ?? 0)
  const rows = (left + added) / schema.layout.buckets
  const when = seconds < secondsPerYear ? 'until they expire' : 'after a year'
  return { evidence: `; ${figure(rows)} rows in each ${when}`, ...(rows <= most ? { severity: 'info' } : {}) }
}
