// Tested by severity.test.ts.
import type { Finding } from '../finding.js'
import { partitionLimits } from './store-profile.js'
import { figure, ratesOf, writesPerSecond, type Subject } from './subject.js'

// How much it matters that few places take all new rows: that depends on how many there are, which may not be known.

/** New rows a second that one server takes, where no vendor publishes a figure. It is a rule of thumb. */
const ruleOfThumb = 1000
/** The part of that below which a place has nothing to do. */
const little = 0.1

/** The weight of a load on its places: less than a tenth of what they take, more, more than they take, or unknown. */
export type Weight = 'light' | 'heavy' | 'too heavy' | 'unknown'

/** The weight of the new rows of a table, or of a part of them, if all go to so many places at a time. */
export const weightOn = (subject: Subject, places: number, share = 1): Weight =>
  weightOfRate(subject, ratesOf(subject).inserts ?? 0, places, share)

/** The weight of all writes of a table, or of a part of them, on places that have all of its rows. */
export const weightOfWrites = (subject: Subject, places: number, share = 1): Weight =>
  weightOfRate(subject, writesPerSecond(subject), places, share)

const weightOfRate = (subject: Subject, rate: number, places: number, share: number): Weight =>
  isLoadKnown(subject) ? weightOf((share * rate) / (places * takenBy(subject))) : 'unknown'

/** The weight of a load, as the part of what its place takes. */
export const weightOf = (part: number): Weight => (part > 1 ? 'too heavy' : part >= little ? 'heavy' : 'light')

/** How much a weight on one place matters. A finding that rests on an unknown one says from which load on it matters. */
export const severities: Readonly<Record<Weight, Finding['severity']>> = {
  light: 'info',
  unknown: 'warning',
  heavy: 'warning',
  'too heavy': 'error',
}

/** How much it matters that one place takes all new rows of a moment. */
export const severityOnOnePlace = (subject: Subject): Finding['severity'] => severities[weightOn(subject, 1)]

/** Whether it is known how much is written. */
export const isLoadKnown = (subject: Subject): boolean => Object.values(ratesOf(subject)).some((rate) => rate !== undefined)

/** If the load is unknown, the sentence that says from which load on a finding matters, with a space before it. */
export const mattersFrom = (subject: Subject, places: number): string =>
  isLoadKnown(subject) ? '' : ` That matters from ${figure(places * little * takenBy(subject))} new rows a second on.`

/** New rows a second that one place of the store takes. */
const takenBy = ({ store }: Subject): number => partitionLimits(store).writesPerSecond ?? ruleOfThumb
