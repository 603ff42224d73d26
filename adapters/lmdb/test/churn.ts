import type { Mutation } from 'rowkey/adapter'
import type { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'

/** One transaction of runs of rows that come and go; what is deleted again in it leaves pages that are never written. */
export function churn(schema: Mutation['schema'], random: Random, span: number, rows: Map<number, string>): readonly Mutation[] {
  return Array.from({ length: 1 + random.below(4) }, (): Mutation[] => {
    const [first, count, isDelete, isUp] = [random.below(span), 1 + random.below(span), random.chance(0.5), random.chance(0.5)]
    return Array.from({ length: count }, (_, i) => {
      const k = isUp ? first + i : first + count - i
      if (isDelete) {
        rows.delete(k)
        return { schema, kind: 'delete', row: [k] }
      }
      const value = 'x'.repeat(random.below(900))
      rows.set(k, value)
      return { schema, kind: 'put', row: [k, value] }
    })
  }).flat()
}
