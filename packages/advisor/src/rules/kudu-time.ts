import { counted, showName } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { countsUp, keyColumns } from '../subject/columns.js'
import { hashBuckets, isKudu, rangesOf } from '../subject/kudu.js'
import { isPeriod } from '../subject/period-columns.js'
import { spreadingSalt } from '../subject/spread.js'
import { figure, ratesOf } from '../subject/subject.js'
import { mattersFrom, severityOnOnePlace } from '../subject/weight.js'

/** Rows of a tablet from which on it is large: some gigabytes. It is a rule of thumb. */
const manyRows = 100_000_000

/** A range over time alone takes all writes at its end; a hash alone grows for ever. Together they do neither. */
export const kuduTime: AdviceRule = {
  code: 'kudu-time',
  stage: 'store',
  guides: ['G-103', 'G-105', 'G-107', 'G-109', 'G-110'],
  find(subject) {
    const ranges = rangesOf(subject)
    if (!isKudu(subject)) return []
    const time = keyColumns(subject).find((column) => countsUp(subject, column) !== undefined && !isPeriod(column))
    const ranged = keyColumns(subject).find(({ name }) => name === ranges?.column)
    if (time === undefined) return []
    const buckets = hashBuckets(subject)
    if (buckets === 1 && ranged !== undefined && countsUp(subject, ranged) !== undefined) {
      const salting = spreadingSalt(subject)
      return [
        {
          severity: severityOnOnePlace(subject),
          column: ranged.name,
          evidence: `1 tablet of ${figure(ranges?.bounds.length ?? 1)} takes all writes of a moment`,
          message: `Ranges of '${showName(ranged.name)}' alone: new rows all go to the last range.${mattersFrom(subject, 1)}`,
          fix: salting === undefined ? 'Add a hash level.' : `Add a hash level with ${salting.text}.`,
          ...(salting === undefined ? {} : { change: salting.change }),
        },
      ]
    }
    if (buckets === 1 || ranges !== undefined) return []
    const rows = ((ratesOf(subject).inserts ?? 0) * 31_536_000) / buckets
    return [
      {
        severity: rows > manyRows ? 'warning' : 'info',
        column: time.name,
        evidence: `${counted(buckets, 'tablet')} for all time${rows === 0 ? '' : `: ${figure(rows)} rows each after a year`}`,
        message: `Without ranges tablets grow as long as rows come, and old rows cannot be dropped cheaply.`,
        fix: `Add ranges of '${showName(time.name)}', one for each month or year, and new ones in time.`,
      },
    ]
  },
}
