// Also tested by ranges.test.ts.
import type { KuduError } from '../error.js'
import type { Masters } from '../masters.js'
import { getTableLocations, type TabletLocationsPB, type TSInfoPB } from '../proto/messages.js'
import type { Replica } from '../requests.js'
import type { KeyInterval } from '../rows/pruning.js'
import type { KuduTable } from '../table.js'
import type { Waiting } from '../transport/waiting.js'
import { compare, isBefore, partsOf, PartitionMap, type LocatedTablet, type Part } from './partition-map.js'

/** So many tables are remembered. */
const maxTables = 1_000
/** Tablets that an answer may have, from 2: the first one may be the one before a gap. */
const defaultPage = 200

/** Which server has which rows: asked of the masters, and remembered for as long as they say. */
export class Locations {
  readonly #masters: Masters
  readonly #pageSize: number
  readonly #tables = new Map<string, PartitionMap>()
  readonly #loading = new Map<string, Promise<unknown>>()

  constructor(masters: Masters, pageSize: number = defaultPage) {
    this.#masters = masters
    this.#pageSize = pageSize
  }

  /** What is remembered of a key. A gap counts only if the masters were asked since a point in time: somebody may have added a range. */
  remembered(table: KuduTable, key: Uint8Array, since: number): Part | undefined {
    const part = this.#tables.get(table.id)?.at(key)
    if (part === undefined || part.until <= since) return undefined
    return part.tablet === undefined && part.since < since ? undefined : part
  }

  /** The tablet of a key, or the gap in which it lies. */
  async find(table: KuduTable, key: Uint8Array, since: number, waiting: Waiting): Promise<Part> {
    for (;;) {
      const part = this.remembered(table, key, since)
      if (part !== undefined) return part
      const running = this.#loading.get(table.id)
      if (running === undefined) {
        const parts = await this.load(table, key, waiting)
        const found = parts.find(({ start, end }) => compare(start, key) <= 0 && isBefore(key, end))
        if (found === undefined) throw malformed(waiting, 'it does not tell of the key that was asked for')
        return found
      }
      // Whoever waits has a time limit of its own, and asks for itself if the other call fails.
      await settled(running, waiting)
    }
  }

  /** A tablet by its id; undefined if the table does not have it. */
  async byId(table: KuduTable, id: string, waiting: Waiting): Promise<LocatedTablet | undefined> {
    const known = this.#tables.get(table.id)?.byId(id)
    if (known !== undefined && known.until > performance.now()) return known.tablet
    for (let key = nothing; ;) {
      const { tablet, end } = await this.find(table, key, 0, waiting)
      if (tablet?.id === id || end.length === 0) return tablet?.id === id ? tablet : undefined
      key = end
    }
  }

  /** All tablets of intervals that follow each other, as the masters know them now, or as they are remembered. Gaps are always asked for. */
  async within(table: KuduTable, intervals: readonly KeyInterval[], waiting: Waiting, isRemembered = false): Promise<LocatedTablet[]> {
    if (!isRemembered) this.clear(table)
    const since = performance.now()
    const tablets: LocatedTablet[] = []
    const buckets = bucketsOf(table)
    for (const interval of intervals) {
      const { from, to } = buckets === undefined ? interval : clipped(interval, buckets)
      let key = from
      do {
        const { tablet, end } = await this.find(table, key, since, waiting)
        // Tablets at the edges reach over several intervals.
        if (tablet !== undefined && tablet.id !== tablets.at(-1)?.id) tablets.push(tablet)
        if (end.length === 0) return tablets
        key = end
      } while (isBefore(key, to))
    }
    return tablets
  }

  /** Forgets a table, or all: its ranges have changed. Servers go on with tablets that were dropped for a moment. */
  clear(table?: KuduTable): void {
    if (table === undefined) this.#tables.clear()
    else this.#tables.delete(table.id)
  }

  /** Forgets where the tablet of a key is. */
  forget(table: KuduTable, key: Uint8Array): void {
    this.#tables.get(table.id)?.delete(key)
  }

  /** Asks the masters for the parts from a key on, a page of them. */
  async load(table: KuduTable, key: Uint8Array, waiting: Waiting): Promise<readonly Part[]> {
    const loading = this.#load(table, key, waiting)
    this.#loading.set(table.id, loading)
    try {
      return await loading
    } finally {
      if (this.#loading.get(table.id) === loading) this.#loading.delete(table.id)
    }
  }

  async #load(table: KuduTable, key: Uint8Array, waiting: Waiting): Promise<readonly Part[]> {
    const since = performance.now()
    const bucketBytes = 4 * table.hash.length
    const answer = await this.#masters.call(
      getTableLocations,
      {
        table: { tableId: table.id },
        keyStart: { hashKey: key.subarray(0, bucketBytes), rangeKey: key.subarray(bucketBytes) },
        maxReturnedLocations: this.#pageSize,
        internTsInfosInResponse: true,
      },
      waiting,
    )
    const { tabletLocations, tsInfos, ttlMillis = 3_600_000 } = answer
    const map = this.#mapOf(table)
    let end: Uint8Array | undefined
    const tablets = tabletLocations.map((location) => {
      const tablet = tabletOf(location, tsInfos, waiting)
      // Parts that do not follow each other would be looked for without an end.
      if (end?.length === 0 || (end !== undefined && compare(tablet.start, end) < 0) || !isBefore(tablet.start, tablet.end))
        throw malformed(waiting, 'its tablets are not in the order of their partitions')
      end = tablet.end
      return tablet
    })
    const parts = partsOf(tablets, key, tablets.length < this.#pageSize, since, since + ttlMillis)
    map.put(parts)
    return parts
  }

  #mapOf({ id }: KuduTable): PartitionMap {
    const known = this.#tables.get(id)
    if (known !== undefined) return known
    const [oldest] = this.#tables.keys()
    if (this.#tables.size >= maxTables && oldest !== undefined) this.#tables.delete(oldest)
    const map = new PartitionMap()
    this.#tables.set(id, map)
    return map
  }
}

/** The partition keys of a table with hash levels: there are none before the first bucket and after the last one, where gaps would be asked for. */
function bucketsOf({ hash, customRanges }: KuduTable): KeyInterval | undefined {
  if (hash.length === 0) return undefined
  const counts = [hash, ...customRanges.map((range) => range.hash)].map(([first]) => first?.buckets ?? 0)
  const to = Buffer.alloc(4)
  to.writeUInt32BE(Math.max(...counts))
  return { from: Buffer.alloc(4), to }
}

const clipped = ({ from, to }: KeyInterval, buckets: KeyInterval): KeyInterval => ({
  from: compare(from, buckets.from) < 0 ? buckets.from : from,
  to: isBefore(buckets.to, to) ? buckets.to : to,
})

/** Waits until something has ended, well or not. @throws KuduError if the time is over before */
async function settled(running: Promise<unknown>, waiting: Waiting): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      waiting.leave(done)
      resolve()
    }
    waiting.onOver(done)
    running.then(done, done)
  })
  waiting.throwIfOver()
}

function tabletOf(
  { tabletId, partition, internedReplicas }: TabletLocationsPB,
  servers: readonly TSInfoPB[],
  waiting: Waiting,
): LocatedTablet {
  const replicas = internedReplicas.map(({ tsInfoIdx, role }): Replica => {
    const [at] = servers[tsInfoIdx]?.rpcAddresses ?? []
    if (at === undefined) throw malformed(waiting, 'a replica is on a server that it does not tell of')
    return { address: at.host.includes(':') ? `[${at.host}]:${at.port}` : `${at.host}:${at.port}`, isLeader: role === 'LEADER' }
  })
  return {
    id: tabletId,
    start: partition?.partitionKeyStart ?? nothing,
    end: partition?.partitionKeyEnd ?? nothing,
    buckets: partition?.hashBuckets ?? [],
    replicas,
    leader: replicas.find(({ isLeader }) => isLeader)?.address,
  }
}

const malformed = (waiting: Waiting, problem: string): KuduError =>
  waiting.error('MALFORMED_ANSWER', `was answered wrongly: of the locations of the table, ${problem}.`, { isSent: false })

const nothing: Uint8Array = new Uint8Array(0)
