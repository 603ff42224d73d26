import type { Spread } from '../measure/statistics.js'

export const nanosecondText = (nanoseconds: number): string => nanoseconds.toFixed(nanoseconds < 100 ? 1 : 0)

export const byteText = (bytes: number | undefined): string => (bytes === undefined ? '' : bytes.toFixed(0))

/** The median, and the range of the middle half. */
export const spreadText = ({ median, low, high }: Spread): [string, string] => [ratioText(median), `${ratioText(low)}-${ratioText(high)}`]

/** Two digits that count. */
const ratioText = (ratio: number): string => ratio.toFixed(ratio < 0.195 ? 3 : 2)
