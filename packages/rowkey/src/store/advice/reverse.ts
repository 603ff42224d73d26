import type { Rule } from '../contract/finding.js'
import type { ReadSubject } from './read-facts.js'

/** Many stores read backwards more slowly, and a key can have either direction. */
export const reverse: Rule<ReadSubject, 'reverse'> = ({ schema, read }) => {
  if (!read.reverse || read.kind === 'GET' || read.kind === 'EMPTY') return []
  const message = 'It reads against the stored order, which is slower in many stores.'
  const fixed = new Set(read.conditions.filter(({ operator }) => operator === '=' || operator === 'isNull').map(({ column }) => column))
  // Columns with one value have no order.
  const column = schema.columns.slice(schema.partitionLength, schema.keyLength).find(({ name }) => !fixed.has(name))
  if (column === undefined) return [{ code: 'reverse', severity: 'info', message }]
  // A period has the direction of its source.
  const name = column.type.of ?? column.name
  const fix = `If most queries need this order, declare '${name}' ${column.type.desc ? 'without' : 'with'} desc().`
  return [{ code: 'reverse', severity: 'info', column: name, message, fix }]
}
