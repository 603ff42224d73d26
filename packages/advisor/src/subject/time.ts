import { type SchemaColumn, typeFacts } from 'rowkey/internal'
import { aPeriod, everyOf } from './period-columns.js'

/** Units in which instants are counted. */
type TimeUnit = 'days' | 's' | 'ms' | 'us' | 'ns'

/** Why a column is a time. */
export interface Time {
  /** What its values count; undefined if they are text, or nothing says so. */
  readonly unit: TimeUnit | undefined
  readonly by: 'type' | 'name'
  /** A phrase for the evidence. */
  readonly because: string
}

/**
 * Whether a column is a time: by its type, or by its name if it is any text or a number that can hold the seconds of today. The only place that
 * decides it. A number whose bytes are reversed is none, because its keys do not come in the order of its values.
 */
export function timeOf(column: SchemaColumn): Time | undefined {
  const { name, type } = column
  const { storage } = typeFacts(type)
  const every = everyOf(column)
  if (every !== undefined)
    return { unit: storage.class === 'int' ? storage.counts : undefined, by: 'type', because: `1 value ${aPeriod(every)}` }
  if ('counts' in storage && storage.counts !== undefined) {
    const because = storage.counts === 'days' ? 'a date: 1 value a day' : `a time in ${storage.counts}`
    return { unit: storage.counts, by: 'type', because }
  }
  const isText = storage.class === 'text'
  if (isText ? !isFreeText(type) : type.inner !== undefined || !holdsSeconds(storage)) return undefined
  const named = timeOfName(name)
  if (named === undefined) return undefined
  const because = `${isText ? 'text' : storage.class === 'bytes' ? 'bytes' : 'a number'}, by its name a time${named.unit === undefined ? '' : ` in ${named.unit}`}`
  // A date in 32 bits may count days, or be 20260101.
  const assumed = isNarrow(storage) && !named.isDate ? 's' : undefined
  return { unit: isText ? undefined : (named.unit ?? assumed), by: 'name', because }
}

/** Whether a type holds any text, as it is. */
export function isFreeText(type: SchemaColumn['type']): boolean {
  const { storage } = typeFacts(type)
  const isPlain = type.codes === undefined && type.inner === undefined && type.width === undefined
  return storage.class === 'text' && storage.format === undefined && isPlain
}

type Storage = ReturnType<typeof typeFacts>['storage']

/** The last second of 32 bits with a sign: whatever ends before it is no time of day and date. */
const lastSecond = 2 ** 31 - 1

function holdsSeconds(storage: Storage): boolean {
  if (storage.class === 'int' || storage.class === 'bigint') return storage.max >= lastSecond
  if (storage.class === 'float') return storage.bytes === 8
  // A Long as the bytes that HBase has of it.
  if (storage.class === 'bytes') return storage.length === 4 || storage.length === 8
  return storage.class === 'decimal' && storage.precision - storage.scale >= 10
}

const isNarrow = (storage: Storage): boolean => storage.class === 'int' && storage.max < 2 ** 32

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const unitNames: ReadonlyMap<string, TimeUnit> = new Map(
  Object.entries({
    s: 's sec secs second seconds',
    ms: 'ms msec msecs milli millis millisecond milliseconds',
    us: 'us usec usecs micro micros microsecond microseconds',
    ns: 'ns nsec nsecs nano nanos nanosecond nanoseconds',
  }).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit as TimeUnit] as const)),
)
/** Words that are a time whatever comes before them. */
const instants = words('ts timestamp tstamp datetime dt instant unixtime mtime ctime atime when')
/** What has happened: the whole name, or after one of `moments`. */
const happened = words('create created creation insert inserted update updated modify modified occurred published posted seen')
const moments = words('date gmt last first time')
/** Before `time`: how long something takes, or which part of life it is. */
const durations = words(
  'response elapsed processing process run running cpu gpu gc wait waiting lead travel play playing screen execution exec load loading idle busy ' +
    'total up down cycle dwell trip query compute render build boot delay lag latency walk walking drive driving transit cook cooking prep ' +
    'preparation work working over half full part life spare reaction average avg mean max min best lap race handling hold holding talk hang ' +
    'media remaining free lost active saved user taken spent connect connection setup settling turnaround mount read write seek ' +
    'service wall flight ping rtt think dead sleep charge charging recovery warmup cooldown startup shutdown download upload transfer block blocked lock ' +
    'exposure buffer buffering stream watch watching view viewing listening dns tls handshake retention',
)
/** Before `epoch`: a round that is counted, such as those of a model or of a leader. */
const rounds = words('training train model max num total best current last warmup leader controller config cluster')
/** Before `date`: it does not rise with the rows. A date that lies ahead does, roughly: a due date is some days after its row, as `expires_at`. */
const fixedDates = words('birth born death')
/** What is made of a time to spread it. */
const scrambled = /^(?:hash(?:ed)?|salt(?:ed)?|md5|sha\d*|crc\d*|murmur\d*|digest|checksum|random|rand|bucket|shard|mod|modulo)$/
/** Names that are written as one word. */
const compound =
  /^(?:creat(?:e|ed|ion)|insert(?:ed)?|updated?|modif(?:y|ied)|event|log(?:ged)?|start(?:ed)?|begin|end(?:ed)?|finish(?:ed)?|record(?:ed)?|receiv(?:e|ed)|send|sent|order(?:ed)?|pay|paid|visit(?:ed)?|login|sampled?|collect(?:ed)?|report(?:ed)?|ingest(?:ed)?|publish(?:ed)?|post(?:ed)?|captured?|measured?|deleted?|expires?)(?:time|ts|timestamp|datetime|date|dt|at)$/
const withUnit = /^(ts|time|timestamp|epoch|unix|unixtime)(msec|millis|micros|nanos|secs?|seconds|ms|us|ns)$/

/** What a name says of a time, and of its unit. */
function timeOfName(name: string): { readonly unit: TimeUnit | undefined; readonly isDate: boolean } | undefined {
  const all = snake(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .flatMap((word) => withUnit.exec(word)?.slice(1) ?? [word])
  if (all.some((word) => scrambled.test(word))) return undefined
  const unit = all.length > 1 ? unitNames.get(all.at(-1) ?? '') : undefined
  const named = unit === undefined ? all : all.slice(0, -1)
  const [last = '', before = ''] = [named.at(-1), named.at(-2)]
  const isDate = last === 'date' && !fixedDates.has(before)
  const isTime =
    instants.has(last) ||
    compound.test(last) ||
    last === 'at' ||
    (last === 'time' && !durations.has(before)) ||
    (last === 'epoch' && !rounds.has(before)) ||
    isDate ||
    (last === 'stamp' && (before === 'time' || before === 'date')) ||
    (last === 'unix' && unit !== undefined) ||
    (last === 'on' && happened.has(before)) ||
    (happened.has(last) && (before === '' || moments.has(before)))
  if (!isTime) return undefined
  return { unit, isDate }
}

/** A name in camel case with underscores. */
export const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
