/**
 * The share of the first of `count` values whose frequencies follow Zipf's law with this exponent: 0 = all are equally frequent, 1 = usual for
 * users, words and pages. Linear in `count`, at most ten thousand steps; beyond that by the integral, with an error below a millionth.
 *
 * @example
 * ```ts
 * shareOfFirst(10_000, 1).toFixed(4) //=> '0.1022'
 * shareOfFirst(10_000, 0)            //=> 0.0001
 * ```
 */
export function shareOfFirst(count: number, skew: number): number {
  const last = Math.max(1, Math.floor(count))
  const steps = Math.min(last, 10_000)
  let sum = 0
  for (let rank = 1; rank <= steps; rank++) sum += rank ** -skew
  if (last > steps) {
    const integral = skew === 1 ? Math.log(last / steps) : (last ** (1 - skew) - steps ** (1 - skew)) / (1 - skew)
    sum += integral + (last ** -skew - steps ** -skew) / 2
  }
  return 1 / sum
}
