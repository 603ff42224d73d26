import { showName, showNames } from '@rowkey/codec/internal'
import type { AdviceRule, Found, SchemaChange } from '../finding.js'
import { isScattered, keyColumns } from '../subject/columns.js'
import { binds, refusedQueries, type AskedQuery } from '../subject/queries.js'
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
            : `No query has a value for '${showName(key[0])}', so put ${index} first: key: [${showNames(change.key ?? [], "'")}].`,
        ...(change === undefined ? {} : { change }),
      }
    }),
}

/** If no query binds the first column, a column that all bind can be the first; it must not be one that makes another hot spot. */
function onlyQuery(subject: Subject, { shape }: AskedQuery): SchemaChange | undefined {
  const { schema, queries } = subject
  if (schema.partitionLength > 0) return undefined
  const key = keyColumns(subject)
  const first = key.find(
    (column) =>
      binds({ shape } as AskedQuery, column.name) && queries.every((query) => binds(query, column.name)) && isScattered(subject, column),
  )
  if (first === undefined || first === key[0]) return undefined
  return { key: [first.name, ...key.filter((column) => column !== first).map(({ name }) => name)] }
}
