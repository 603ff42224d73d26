// Tested by rules.test.ts.
import { isRowkeyError } from 'rowkey/codec'
import { sentenceOf } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { countsUp, keyColumns } from '../subject/columns.js'
import { keyForQueries, type KeyOrder } from '../subject/key-order.js'
import { leadingColumns, splitsFor, spreadingSalt } from '../subject/spread.js'
import { partitionLimits, titleOf } from '../subject/store-profile.js'
import { byLoad } from './by-load.js'
import { figure, type Subject } from '../subject/subject.js'

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
}

/** The codes of stores, which are not those of a rule here. */
export const storeCodes: readonly string[] = Object.keys(guidesOf)

/** Of these the fix is a salt, if the table has none. */
const wantsSalt: readonly string[] = ['one-partition', 'one-shard']
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
        .filter(({ code }) => code !== 'modulo-seconds' && code !== 'split-text' && !isAboutOrder(subject, code))
        .map(({ code, severity, column, message, fix }): RuleFinding => {
          const own = wantsSalt.includes(code) ? spread(subject) : undefined
          const load = dependsOnLoad.includes(code) ? byLoad(subject) : undefined
          const change = own?.change ?? (code === 'unsplit-buckets' ? splitsFor(subject, schema.layout.buckets) : undefined)
          return {
            code,
            guides: guidesOf[code] ?? [],
            severity: isError.includes(code) ? 'error' : isRemark.includes(code) ? 'info' : (load?.severity ?? severity),
            ...(column === undefined ? {} : { column }),
            evidence: `${evidenceOf(subject, code)}${load?.evidence ?? ''}`,
            message: `${message}${load?.assumed ?? ''}`,
            ...(fix === undefined ? {} : { fix: own?.fix ?? fix }),
            ...(change === undefined ? {} : { change }),
          }
        })
    } catch (error) {
      if (!isRowkeyError(error)) throw error
      // Not a fault of the model: the caller gave an option that the store does not have.
      if (error.code === 'INVALID_OPTION' && Object.hasOwn(options, String(error.details['option']))) throw error
      const evidence = `${error.code} from ${titleOf(store)}`
      return [{ severity: 'error', evidence, message: sentenceOf(error) }]
    }
  },
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

function evidenceOf(subject: Subject, code: string): string {
  const { schema } = subject
  const { buckets } = schema.layout
  if (code === 'lindorm-key-columns' || code === 'lindorm-key-bytes') return `${keyColumns(subject).length} key columns`
  if (code === 'lightweight-transactions') return `4 round trips between replicas for each write`
  if (code === 'null-tombstones') return `${figure(nullableOf(subject))} nullable columns`
  if (code === 'one-region' || code === 'unsplit-buckets') return `${figure(buckets)} ${buckets === 1 ? 'bucket' : 'buckets'} in 1 region`
  return `${figure(buckets)} ${buckets === 1 ? 'bucket' : 'buckets'} and no partition columns`
}

const nullableOf = ({ schema }: Subject): number =>
  schema.columns.slice(schema.keyLength).filter(({ type, role }) => type.nullable && role === 'value').length
