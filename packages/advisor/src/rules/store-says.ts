// Tested by rules.test.ts.
import { isRowkeyError } from 'rowkey/codec'
import { sentenceOf, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { countsUp, keyColumns } from '../subject/columns.js'
import { keyForQueries, type KeyOrder } from '../subject/key-order.js'
import { hasForeignSalt, isKudu, keyTypeFault } from '../subject/kudu.js'
import { largestShare } from '../subject/partitions.js'
import { isPeriod } from '../subject/period-columns.js'
import { leastRowBytes, periodFix, sourceIn } from '../subject/periods.js'
import { leadingColumns, splitsFor, spreadingSalt } from '../subject/spread.js'
import { partitionLimits, titleOf } from '../subject/store-profile.js'
import { byLoad } from './by-load.js'
import { figure, ratesOf, type Subject } from '../subject/subject.js'
import { timeOf } from '../subject/time.js'

/** Which lines of the guides the findings of `ddl()` are about. A store of which nothing is listed here may have others: they are passed on. */
const guidesOf: Readonly<Record<string, readonly string[]>> = {
  'one-partition': ['G-30', 'G-50'],
  'few-partitions': ['G-51'],
  'one-shard': ['G-30', 'G-50'],
  'few-shards': ['G-34', 'G-50'],
  'shared-shards': [],
  'one-region': ['G-30', 'G-50'],
  'unsplit-buckets': ['G-34', 'G-50'],
  'lightweight-transactions': [],
  'null-tombstones': [],
  'lindorm-key-bytes': ['G-24'],
  'lindorm-key-columns': ['G-26'],
  'kudu-key-bytes': ['G-55', 'G-64', 'G-123'],
  'kudu-bucket-column': ['G-89'],
}

/** The codes of stores, which are not those of a rule here. */
export const storeCodes: readonly string[] = Object.keys(guidesOf)

/** Of these the fix is a salt, if the table has none. */
const wantsSalt: readonly string[] = ['one-partition', 'one-shard']
/** Of these it is a period, if the key has an instant and the load says how many rows come. */
const growing: readonly string[] = ['few-partitions', 'one-partition']
/** No row can be written. */
const isError: readonly string[] = ['lindorm-key-bytes']
/** Of these it depends on the load how much they matter. */
const dependsOnLoad: readonly string[] = ['one-partition', 'few-partitions', 'one-shard', 'one-region', 'unsplit-buckets']
/** Of these nothing is known that makes them more than a remark: `few-buckets` speaks if there are more servers. */
const isRemark: readonly string[] = ['few-shards']

/** The warnings of the store's own definition of the table, which `ddl()` gives too, with numbers and changes. */
export const storeSays: AdviceRule = {
  code: 'store-refuses',
  stage: 'store',
  guides: [],
  find(subject) {
    const { store, schema } = subject
    const { description } = store ?? {}
    if (store === undefined || description?.ddl === undefined) return []
    const { storeOptions: options = {} } = store
    try {
      const { warnings } = description.ddl(schema, options)
      // Those of every store have rules of their own here.
      return warnings
        .filter(
          ({ code, column }) =>
            code !== 'modulo-seconds' && code !== 'split-text' && !isAboutOrder(subject, code) && !isSaidOfKudu(subject, code, column),
        )
        .map(({ code, severity, column, message, fix }): RuleFinding => {
          const load = dependsOnLoad.includes(code) ? byLoad(subject) : undefined
          const isGrowing = growing.includes(code) && load?.severity !== 'info'
          const own = (isGrowing ? endedByPeriod(subject, code) : undefined) ?? (wantsSalt.includes(code) ? spread(subject) : undefined)
          const change = own?.change ?? (code === 'unsplit-buckets' ? splitsFor(subject, schema.layout.buckets) : undefined)
          return {
            code,
            guides: guidesOf[code] ?? [],
            severity: isError.includes(code) ? 'error' : isRemark.includes(code) ? 'info' : (load?.severity ?? severity),
            ...(column === undefined ? {} : { column }),
            evidence: `${evidenceOf(subject, code)}${load?.evidence ?? ''}`,
            message: `${message}${load?.assumed ?? ''}`,
            ...(fix === undefined ? {} : { fix: own?.fix ?? `${fix}${isGrowing ? periodHint(subject) : ''}` }),
            ...(change === undefined ? {} : { change }),
          }
        })
    } catch (error) {
      if (!isRowkeyError(error)) throw error
      if (error.details['capability'] === 'default partitioning') return [] // kudu-no-partitions says how to choose one
      // Not a fault of the model: the caller gave an option that the store does not have.
      if (error.code === 'INVALID_OPTION' && Object.hasOwn(options, String(error.details['option']))) throw error
      const evidence = `${error.code} from ${titleOf(store)}`
      return [{ severity: 'error', evidence, message: sentenceOf(error) }]
    }
  },
}

/** Without a load nobody knows which period is short enough. */
function periodHint(subject: Subject): string {
  const source = sourceIn(subject)
  if (source === undefined) return ''
  const name = showName(source.name)
  return ` If rows keep coming, let a period end each partition, such as period('day', { of: '${name}' }).`
}

/** What comes before an instant of the key as the partition, and a period that ends it. */
function endedByPeriod(subject: Subject, code: string): KeyOrder | undefined {
  const { rows, bytes } = partitionLimits(subject.store)
  const { inserts } = ratesOf(subject)
  if (rows === undefined || bytes === undefined || inserts === undefined) return undefined
  const most = Math.min(rows, bytes / Math.max(1, subject.stats?.rowBytes ?? leastRowBytes(subject)))
  const key = keyColumns(subject)
  const before = key.slice(
    0,
    key.findIndex((column) => timeOf(column)?.by === 'type'),
  )
  // A partition by what all queries bind is better than one by time alone.
  if (wantsSalt.includes(code) && before.every(isPeriod) && keyForQueries(subject) !== undefined) return undefined
  // What nobody has counted may all be in one partition.
  const share = largestShare(subject, before)?.share ?? 1
  return periodFix(subject, { perSecond: share * inserts, most: Math.floor(most) })
}

/** A partition by what all queries bind, or else a salt. */
function spread(subject: Subject): KeyOrder | undefined {
  // Where each bucket would be a partition that grows with the table, the text of the store says what else there is.
  const salting = partitionLimits(subject.store).rows === undefined ? spreadingSalt(subject) : undefined
  return keyForQueries(subject) ?? (salting === undefined ? undefined : { change: salting.change, fix: `Spread it with ${salting.text}.` })
}

/** Of a table whose keys count up, `monotonic-first` says the same, and its salt brings the regions. */
const isAboutOrder = (subject: Subject, code: string): boolean => {
  const [first] = leadingColumns(subject)
  return code === 'one-region' && first !== undefined && countsUp(subject, first) !== undefined
}

/** `kudu-key-type` and `kudu-hash-levels` say the same with a fix, also without the adapter. */
function isSaidOfKudu(subject: Subject, code: string, column: string | undefined): boolean {
  if (!isKudu(subject)) return false
  const found = subject.schema.columns.find(({ name }) => name === column)
  return code === 'kudu-key-bytes'
    ? found !== undefined && keyTypeFault(found) !== undefined
    : code === 'kudu-bucket-column' && hasForeignSalt(subject)
}

function evidenceOf(subject: Subject, code: string): string {
  const { schema } = subject
  const { buckets } = schema.layout
  if (code === 'kudu-key-bytes') return `${keyColumns(subject).length} key columns`
  if (code === 'kudu-bucket-column') return `${figure(buckets)} buckets`
  if (code === 'lindorm-key-columns' || code === 'lindorm-key-bytes') return `${keyColumns(subject).length} key columns`
  if (code === 'lightweight-transactions') return `4 round trips between replicas for each write`
  if (code === 'null-tombstones') return `${figure(nullableOf(subject))} nullable columns`
  if (code === 'one-region' || code === 'unsplit-buckets') return `${figure(buckets)} ${buckets === 1 ? 'bucket' : 'buckets'} in 1 region`
  return `${figure(buckets)} ${buckets === 1 ? 'bucket' : 'buckets'} and no partition columns`
}

const nullableOf = ({ schema }: Subject): number =>
  schema.columns.slice(schema.keyLength).filter(({ type, role }) => type.nullable && role === 'value').length
