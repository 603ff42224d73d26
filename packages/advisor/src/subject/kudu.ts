import type { Subject } from './subject.js'

/** Whether the table will be in Kudu. Its hash levels are the salt of the model, its ranges those of the profile. */
export const isKudu = ({ store }: Subject): boolean => store?.name === 'kudu'

/** How many tablets each range has. */
export const hashTablets = ({ schema }: Subject): number => schema.salt.reduce((product, { count }) => product * count, 1)
