// Tested by rules.test.ts.
import { counted, showName } from '@rowkey/codec/internal'
import type { AdviceRule } from '../finding.js'
import { countsUp } from '../subject/columns.js'
import { isWindow, largestPartition } from '../subject/partitions.js'
import { binds, type AskedQuery } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'

/** Cassandra keeps marks of deleted rows for 10 days by default, and a scan fails at 100,000 of them. HBase keeps them until a major compaction, weekly by default. */
const kept: Readonly<Record<string, { readonly days: number; readonly fails: string }>> = {
  cassandra: { days: 10, fails: 'a scan fails after 100,000' },
  hbase: { days: 7, fails: 'scans get slower with each' },
  lindorm: { days: 7, fails: 'scans get slower with each' },
}

/** Fewer marks are read without anybody noticing: Cassandra warns at 1,000 of them. */
const fewMarks = 1000

/** A queue: rows are inserted at one end and deleted at the other, and each scan starts where the deleted ones were. */
export const tombstoneQueue: AdviceRule = {
  code: 'tombstone-queue',
  stage: 'store',
  guides: [],
  find(subject) {
    const { writes, store, schema } = subject
    const keeping = store === undefined ? undefined : kept[store.name]
    const { inserts = 0, deletes = 0 } = writes ?? {}
    const column = orderOfQueue(subject)
    if (keeping === undefined || deletes === 0 || deletes < inserts / 2 || column === undefined) return []
    // A scan reads one partition, and a partition of a day has the marks of a day.
    const share = largestPartition(subject)?.share ?? 1
    const days = schema.columns.slice(0, schema.partitionLength).some(isWindow) ? Math.min(1, keeping.days) : keeping.days
    const marks = deletes * share * days * 86_400
    if (marks < fewMarks) return []
    return [
      {
        severity: 'warning',
        column,
        evidence: `${figure(deletes * share)} deletes a second${share < 1 ? ' in the largest partition' : ''} x ${counted(days, 'day')} = ${figure(marks)} marks; ${keeping.fails}`,
        message: `Rows are inserted and deleted in the order of '${showName(column)}', as in a queue, and a scan from the start reads the marks of all deleted rows before it finds the first one that exists.`,
        fix: `Begin scans after the last row that was done ({ after }), ${days < keeping.days ? 'or make the window of the partition shorter' : "or put a day into the partition and read today's"}. Rows that expire by ttl leave marks too.`,
      },
    ]
  },
}

/** The column by which rows come and go: the first one after those that queries bind, if it counts up and scans begin at its start. */
function orderOfQueue({ schema, queries, ...rest }: Subject): string | undefined {
  const scans = queries.filter(({ explanation }) => explanation !== undefined && !['GET', 'MULTI-GET', 'EMPTY'].includes(explanation.kind))
  const isBound = (name: string): boolean => scans.length > 0 && scans.every((query) => binds(query, name))
  const free = schema.columns.slice(schema.partitionLength, schema.keyLength).find(({ name }) => !isBound(name))
  if (free === undefined || countsUp({ schema, queries, ...rest }, free) === undefined) return undefined
  const beginsLater = ({ shape }: AskedQuery): boolean => shape.where[free.name] === 'from' || shape.where[free.name] === 'range'
  return scans.length > 0 && scans.every(beginsLater) ? undefined : free.name
}
