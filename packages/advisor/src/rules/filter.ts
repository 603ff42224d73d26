import { showName, showNames } from 'rowkey/internal'
import { checkedLate } from 'rowkey/adapter'
import type { AdviceRule } from '../finding.js'
import { distinctOf } from '../subject/columns.js'
import { isKudu, rangesOf } from '../subject/kudu.js'
import { indexForQuery } from '../subject/index-for-query.js'
import { keyForQueries } from '../subject/key-order.js'
import { askedQuery, binds, type AskedQuery } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'
import { asExplained, explained, often } from './explained.js'

/** Rows read for one returned, up to which that is a cost and no more. It is a rule of thumb. */
const fewRead = 10

/** What the key does not narrow is read and dropped. */
export const filter: AdviceRule = explained('filter', ['G-02', 'G-15', 'G-16'], (subject) => {
  const { schema } = subject
  const fitting = keyForQueries(subject)
  return (query, warning) => {
    const { column } = warning
    const checkedColumn = schema.columns.find(({ name }) => name === column)
    const found = checkedColumn !== undefined && binds(query, checkedColumn.name) ? distinctOf(subject, checkedColumn) : undefined
    const distinct = found?.count
    const share = found === undefined ? '' : `, which 1 of ${found.isLeast ? 'at least ' : ''}${figure(found.count)} values passes`
    // Only a column of the key can be read from another place in it.
    const order = schema.columns.slice(0, schema.keyLength).some(({ name }) => name === column) ? fitting : undefined
    const names = showNames(Object.keys(query.onRows ?? query.shape.where), "'")
    const checked = column === undefined ? 'Conditions on several columns are' : `The condition on '${showName(column)}' is`
    const hint = indexHint(subject, query)
    if (hint !== undefined)
      return { ...asExplained(often(query), query, warning), severity: 'info', message: checkedLate(checked), fix: hint }
    // Kudu skips the ranges that a condition excludes, so few rows are read in vain.
    if (column !== undefined && isKudu(subject) && column === rangesOf(subject)?.column)
      return {
        ...asExplained(often(query), query, warning),
        severity: 'info',
        message: `${checkedLate(checked)} Kudu skips the ranges of '${showName(column)}' that it excludes.`,
      }
    const isFew = distinct !== undefined && distinct > fewRead
    const better = order ?? (isFew ? indexForQuery(subject, query) : undefined)
    return {
      ...asExplained(`${often(query)}${share}`, query, warning),
      severity: distinct !== undefined && distinct <= fewRead ? 'info' : 'warning',
      message: checkedLate(checked),
      fix:
        better?.fix ??
        `If few rows pass, declare an index of '${subject.rows?.schema.name ?? schema.name}' that begins with ${names}, and scan by it.`,
      ...(better === undefined ? {} : { change: better.change }),
    }
  }
})

/** What to do if the table has an index whose entries decide all conditions. */
function indexHint({ schema }: Subject, { shape, index }: AskedQuery): string | undefined {
  const better =
    index === undefined
      ? schema.indexes.find(({ name }) => askedQuery(schema, { ...shape, index: name }).explanation?.residual.length === 0)
      : undefined
  return better === undefined ? undefined : `Index '${better.name}' answers it without: scan with { index: '${better.name}' }.`
}
