import type { Adapter } from 'rowkey'
import { lackOf, type Need } from '../../packages/rowkey/src/conformance/suite/rule.js'

/** What programs of these tests can do without. */
const optional = ['reverse', 'versions', 'columns'] as const satisfies readonly Need[]

export type Lack = (typeof optional)[number]

/** What a store lacks, in the words of the conformance suite. `versions` includes expiry in tables with conditional writes. */
export const lacksOf = ({ capabilities }: Adapter): readonly Lack[] => optional.filter((need) => lackOf(need, capabilities) !== undefined)

/** Whether a store can do something that others lack. */
export const can = (adapter: Adapter, need: Lack): boolean => !lacksOf(adapter).includes(need)
