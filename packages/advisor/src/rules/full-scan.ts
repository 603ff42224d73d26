import { showName, showNames } from '@rowkey/codec/internal'
import type { AdviceRule, Found, SchemaChange } from '../finding.js'
import { isScattered, keyColumns } from '../subject/columns.js'
import { binds, ranges, refusedQueries, type AskedQuery } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'

/** A query that does not bind the first key column reads everything: every store refuses it. */
export const fullScan: AdviceRule = {
  code: 'full-scan',
  stage: 'queries',
  guides: ['G-02', 'G-11', 'G-12', 'G-13', 'G-14', 'G-48'],
  find: (subject) =>
    refusedQueries(subject.queries, (code) => code === 'FULL_SCAN_REFUSED' || code === 'PARTITION_REQUIRED').map((query): Found => {
      const { schema, stats } = subject
      const key = keyColumns(subject).map(({ name }) => name)
      const bound = keyColumns(subject).filter(({ name }) => query.shape.where[name] !== undefined)
      const change = onlyQuery(subject, query)
      const names = showNames(Object.keys(query.shape.where), "'")
      const index =
        bound.length === 0
          ? names
          : showNames(
              bound.map(({ name }) => name),
              "'",
            )
      return {
        severity: 'error',
        column: key[0] ?? '',
        evidence: `0 of ${key.length} key columns narrow it${stats?.total === undefined ? '' : `, so it reads ${figure(stats.total)} rows`}: ${query.text}`,
        message: `The query gives no value or range for '${showName(key[0])}', the first key column, so it would read the whole table and is refused.`,
        fix:
          change === undefined
            ? `Declare an index table for it, whose key begins with ${index === '' ? 'the columns of the query' : index} and ends with the key of '${schema.name}', and write both together.`
            : `Every query has a value for '${showName(change.key?.[0])}', so put it first: key: [${showNames(change.key ?? [], "'")}].`,
        ...(change === undefined ? {} : { change }),
      }
    }),
}

/**
 * If every query binds a column that spreads rows, the key can begin with it; then come the columns that the query limits or sorts by, and the
 * others as they are.
 */
function onlyQuery(subject: Subject, query: AskedQuery): SchemaChange | undefined {
  const { schema, queries } = subject
  if (schema.partitionLength > 0) return undefined
  const names = keyColumns(subject).map(({ name }) => name)
  const first = keyColumns(subject).find((column) => queries.every((each) => binds(each, column.name)) && isScattered(subject, column))
  if (first === undefined || first.name === names[0]) return undefined
  const bound = names.filter((name) => name !== first.name && binds(query, name))
  const ranged = names.filter((name) => ranges(query, name))
  return { key: [...new Set([first.name, ...bound, ...ranged, ...names])] }
}
