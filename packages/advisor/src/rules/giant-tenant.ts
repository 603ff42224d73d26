// Tested by true-advice.test.ts and rules.test.ts.
import { counted, type SchemaColumn, showNames } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { countsUp, enoughRows, keyColumns } from '../subject/columns.js'
import { isKudu } from '../subject/kudu.js'
import { bucketsWithin, inBuckets, inBucketsText, isWindow, largestShare, partitionColumns } from '../subject/partitions.js'
import { isSlow, spreadingSalt } from '../subject/spread.js'
import { placementOf } from '../subject/store-profile.js'
import { percent, type Subject } from '../subject/subject.js'
import { mattersFrom, weightOfWrites, weightOn } from '../subject/weight.js'

/** From this share of all rows on, one value is as large and as busy as a table. */
const giant = 0.2

/** One value has a good part of all rows. Behind buckets it is still told, because what reads all its rows reads all of them. */
export const giantTenant: AdviceRule = {
  code: 'giant-tenant',
  stage: 'data',
  guides: ['G-30', 'G-51'],
  find: (subject) => {
    if (subject.stats === undefined || subject.stats.rows < enoughRows) return []
    const placement = placementOf(subject.store)
    return placement === 'hash' ? inPartition(subject) : placement === 'order' ? inOrder(subject) : []
  },
}

const namesOf = (columns: readonly SchemaColumn[]): string =>
  showNames(
    columns.map(({ name }) => name),
    "'",
  )

const onlyColumn = (columns: readonly SchemaColumn[]): { readonly column?: string } =>
  columns.length === 1 ? { column: columns[0]?.name ?? '' } : {}

function inPartition(subject: Subject): readonly RuleFinding[] {
  const partition = partitionColumns(subject)
  const top = partition.length === 0 ? undefined : largestShare(subject, partition)
  const own = partition.filter((column) => !isWindow(subject, column))
  // Few values are another finding.
  if (top === undefined || top.share < giant || own.every((column) => isSlow(subject, column))) return []
  const buckets = bucketsWithin(subject)
  const share = top.share / buckets
  if (share < giant) return [spreadAlready(partition, top.share, buckets)]
  const change = inBuckets(subject, 16)
  return [
    {
      severity: weightOfWrites(subject, 1, share) === 'light' ? 'info' : 'warning',
      ...onlyColumn(partition),
      evidence: `the largest partition has ${percent(share)} of the rows ${top.because}`,
      message: `One value of ${namesOf(partition)} has a large part of all rows, and they are all in one place.${mattersFrom(subject, 1 / share)}`,
      ...(change === undefined
        ? { fix: 'Add a column to the partition that differs between rows of the same moment, such as the number of a shard.' }
        : { change, fix: inBucketsText(change) }),
    },
  ]
}

/** Where keys are in order, rows of one value are hot if they go to its end, or if a hash puts them all into one bucket. */
function inOrder(subject: Subject): readonly RuleFinding[] {
  const group = groupsOf(subject).find(
    (columns) => shareOf(subject, columns) >= giant && !columns.every((column) => isSlow(subject, column)),
  )
  if (group === undefined) return []
  const buckets = bucketsWithin(subject, group)
  const all = shareOf(subject, group)
  const share = all / buckets
  if (share < giant) return [spreadAlready(group, all, buckets)]
  const next = keyColumns(subject)[group.length]
  const hashed = [...new Set(subject.schema.salt.flatMap(({ of }) => of))]
  if (hashed.length === 0 && (next === undefined || countsUp(subject, next) === undefined)) return []
  const salting = spreadingSalt(subject)
  return [
    {
      severity: weightOn(subject, 1, share) === 'light' ? 'info' : 'warning',
      ...onlyColumn(group),
      evidence: `1 value has ${percent(share)} of the rows, which go to 1 ${hashed.length > 0 ? 'bucket' : 'place'}`,
      message:
        `One value of ${namesOf(group)} has a large part of all rows, and ` +
        `${hashed.length > 0 ? `the salt by ${showNames(hashed, "'")} has one bucket for it` : `because ${namesOf([next as SchemaColumn])} counts up, they all go to the same place`}.${mattersFrom(subject, 1 / share)}`,
      ...(salting === undefined
        ? { fix: 'Spread that value over several, such as by the number of a shard.' }
        : { change: salting.change, fix: `Spread it with ${salting.text}.` }),
    },
  ]
}

/** Of windows of time alone it is always all that comes in a moment. */
const shareOf = (subject: Subject, columns: readonly SchemaColumn[]): number =>
  columns.every((column) => isWindow(subject, column)) ? 0 : (largestShare(subject, columns)?.share ?? 0)

/** Columns whose rows with equal values may go to one place: those of a salt, and those before the first column that counts up. */
function groupsOf(subject: Subject): readonly (readonly SchemaColumn[])[] {
  const key = keyColumns(subject)
  const end = key.findIndex((column) => countsUp(subject, column) !== undefined)
  const before = key.slice(0, Math.max(0, end))
  const salted = subject.schema.salt.map(({ of }) => key.filter(({ name }) => of.includes(name)))
  return isKudu(subject) || before.length === 0 ? [...salted, before] : [before, ...salted]
}

const spreadAlready = (columns: readonly SchemaColumn[], share: number, buckets: number): RuleFinding => ({
  severity: 'info',
  ...onlyColumn(columns),
  evidence: `1 value has ${percent(share)} of the rows, in ${counted(buckets, 'bucket')} of ${percent(share / buckets)}`,
  message: `One value of ${namesOf(columns)} has a large part of all rows. It is spread, and what reads all its rows reads all these buckets.`,
})
