import type { Rule } from '../contract/finding.js'
import type { ReadSubject } from './read-facts.js'
import { showName } from '#codec/internal'
import { dateByHand, periodInstead } from '../plan/date-by-hand.js'

/** Partitions of dates that a page may ask together. It is a rule of thumb. */
const few = 3

/** A list of dates in the order of an instant: every page asks for each date again, although the rows of one date come after those of another. */
export const mergedPeriods: Rule<ReadSubject, 'merged-periods'> = ({ schema, read }) => {
  const [first] = read.order
  const merged = schema.columns.findIndex(({ name }) => name === first?.column)
  const found = read.kind === 'MERGED SCAN' && merged > 0 ? dateByHand(schema, merged) : undefined
  const listed = read.conditions.find(({ column }) => column === found?.date.name)
  if (first === undefined || found === undefined || listed?.operator !== 'in' || listed.values.length <= few) return []
  const [date, of] = [showName(found.date.name), showName(found.of.name)]
  // In the order of the key, dates are read one after the other.
  const isAlong = first.column === found.of.name && found.date.type.desc === found.of.type.desc
  const order = `If '${date}' follows from '${of}', name it in order too: order: { ${date}: '${first.direction}', ${of}: '${first.direction}' }. `
  return [
    {
      code: 'merged-periods',
      severity: 'warning',
      column: found.date.name,
      message: `Every page takes ${read.requests.least} requests, because it merges the rows of ${listed.values.length} values of '${date}'. Read one after the other, a page would need few of them.`,
      fix: `${isAlong ? order : ''}A new table with ${periodInstead(found)} finds the partitions for a range of '${of}', and reads them one after the other.`,
    },
  ]
}
