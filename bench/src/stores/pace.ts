import type { Pace } from '../duel/contestant.js'

/** Calls take from a tenth of a millisecond to tens of them; what is warmed up is code of the driver for the most part. */
export const pace: Pace = { warmUpCalls: 8, leastCalls: 2, stretch: 8 }
