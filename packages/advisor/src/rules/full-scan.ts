// Tested by periods.test.ts and rules.test.ts.
import { type SchemaColumn, sentenceOf, showName, showNames, type TableIndex } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { indexForQuery } from '../subject/index-for-query.js'
import { keyForQueries } from '../subject/key-order.js'
import { everyOf, isPeriod, sourceOf } from '../subject/period-columns.js'
import { isNamed, refusedQueries, type AskedQuery } from '../subject/queries.js'
import { figure } from '../subject/subject.js'

/** A query that does not bind the first key column reads everything: every store refuses it. */
export const fullScan: AdviceRule = {
  code: 'full-scan',
  stage: 'queries',
  guides: ['G-02', 'G-11', 'G-12', 'G-13', 'G-14', 'G-48'],
  find(subject) {
    const order = keyForQueries(subject)
    return refusedQueries(subject.queries, (code) => code === 'FULL_SCAN_REFUSED' || code === 'PARTITION_REQUIRED').map(
      (query): RuleFinding => {
        const { schema, stats } = subject
        const index = schema.indexes.find(({ name }) => name === query.shape.index)
        if (index !== undefined) return ofIndex(query, index)
        const key = keyColumns(subject).map(({ name }) => name)
        const bound = keyColumns(subject).filter(({ name }) => query.shape.where[name] !== undefined)
        const isPartition = query.refusal?.code === 'PARTITION_REQUIRED'
        const missing = key.slice(0, schema.partitionLength).filter((name) => !isNamed(query, name))
        // A period is found by its source, so that is what the query does not say.
        const lacking = isPartition ? missing[0] : key[0]
        const period = keyColumns(subject).find((column) => column.name === lacking && isPeriod(column))
        if (period !== undefined) return ofPeriod(query, period)
        const found = order ?? indexForQuery(subject, query)
        const names = showNames(Object.keys(query.shape.where), "'")
        const first =
          bound.length === 0
            ? names
            : showNames(
                bound.map(({ name }) => name),
                "'",
              )
        return {
          severity: 'error',
          column: (isPartition ? missing[0] : key[0]) ?? '',
          evidence: `${isPartition ? `${missing.length} of ${schema.partitionLength} partition columns missing` : `0 of ${key.length} key columns narrow it`}${stats?.total === undefined ? '' : `, so it reads ${figure(stats.total)} rows`}: ${query.text}`,
          message: isPartition
            ? `The query gives no value for ${showNames(missing, "'")}, which is in the partition, so it would read all partitions and is refused.`
            : `The query gives no value or range for '${showName(key[0])}', the first key column, so it would read the whole table and is refused.`,
          fix:
            found?.fix ??
            `Declare an index of '${schema.name}' for it that begins with ${first === '' ? 'the columns of the query' : first}, and scan by it. If what comes first there counts up or has few values, it needs a salt.`,
          ...(found === undefined ? {} : { change: found.change }),
        }
      },
    )
  },
}

/** A query names an index that does not narrow it. */
const ofIndex = ({ text, refusal }: AskedQuery, { schema }: TableIndex): RuleFinding => ({
  severity: 'error',
  column: schema.columns[0]?.name ?? '',
  evidence: `${refusal?.code ?? ''} of '${schema.name}': ${text}`,
  message: refusal === undefined ? '' : sentenceOf(refusal),
  fix: 'Scan by an index that begins with columns of the query.',
})

/** The query limits the source of a period at one end, or not at all. */
function ofPeriod({ shape, text, perSecond }: AskedQuery, period: SchemaColumn): RuleFinding {
  const [every, source] = [everyOf(period) ?? 'day', showName(sourceOf(period))]
  const given = shape.where[sourceOf(period)] === undefined ? 'no limits' : 'one end only'
  const isRange = shape.where[period.name] !== undefined
  return {
    severity: 'error',
    column: period.name,
    evidence: `${isRange ? `a range of '${showName(period.name)}'` : `'${source}' has ${given}`}, ${figure(perSecond)} a second: ${text}`,
    message: isRange
      ? `A range of '${showName(period.name)}' names no partition, so the query is refused.`
      : `The query does not say which ${every}s of '${source}' it reads, because '${source}' has ${given}, so it would read them all and is refused.`,
    fix: `Give '${source}' both ends. A range may be far longer than what is read: its ${every}s are walked one after the other, and a page stops when it is full.`,
  }
}
