import { lmdb } from '@rowkey/lmdb'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createMapper, defineTable, memory, text, timestamp } from 'rowkey'
import { Random } from '../measure/random.js'
import { median } from '../measure/statistics.js'

/** One size of one store. */
export interface Cell {
  readonly store: 'memory' | 'lmdb'
  readonly rows: number
}

export interface CellLimits {
  /** Milliseconds after which the load stops where it is. */
  readonly load: number
  /** Measurements of each read, and how many milliseconds each takes. */
  readonly rounds: number
  readonly milliseconds: number
}

export interface CellFigures {
  /** Rows that were loaded within the limit. */
  readonly rows: number
  /** Rows per second. */
  readonly load: number
  /** Milliseconds that the slowest batch took. */
  readonly longestBatch: number
  /** Calls per second, one after the other. */
  readonly get: number
  /** Rows per second, in pages of 100. */
  readonly scan: number
  /** Of memory after a full garbage collection, or of the file. */
  readonly rowBytes: number
}

export const batchSize = 1000
const pageSize = 100
const rowsPerHost = 3000

const Events = defineTable('events', {
  columns: { host: text(), at: timestamp('ms'), level: text(), message: text() },
  key: ['host', 'at'],
})

/** Row `i` of `rows`: in the order of time, each of another host. It is made again when it is needed, because all of them would not fit. */
function rowOf(i: number, rows: number): { host: string; at: Date; level: string; message: string } {
  const hosts = Math.ceil(rows / rowsPerHost)
  const host = `host-${((Math.imul(i, 0x9e3779b1) >>> 0) % hosts).toString(36).padStart(7, '0')}`
  return { host, at: new Date(1.7e12 + i * 10), level: 'info', message: `request ${i}` }
}

/** Loads a store and reads from it, by way of a repository. @param folder for the file of LMDB */
export async function measureCell({ store, rows }: Cell, folder: string, limits: CellLimits): Promise<CellFigures> {
  const path = join(folder, 'db')
  const before = memoryInUse()
  const db = createMapper(store === 'lmdb' ? lmdb(path) : memory())
  try {
    await db.ensureTables([Events])
    const events = db.repository(Events)
    const began = performance.now()
    let [loaded, loading, longestBatch] = [0, 0, 0]
    while (loaded < rows && (loaded === 0 || performance.now() - began < limits.load)) {
      const batch = Array.from({ length: Math.min(batchSize, rows - loaded) }, (_, i) => rowOf(loaded + i, rows))
      const start = performance.now()
      await events.putMany(batch)
      const took = performance.now() - start
      loading += took
      longestBatch = Math.max(longestBatch, took)
      loaded += batch.length
      await setImmediate() // the parent may be gone
    }
    const rowBytes = (store === 'lmdb' ? bytesIn(path) : memoryInUse() - before) / loaded
    const random = new Random(5)
    const get = await perSecond(limits, async () => {
      const { host, at } = rowOf(random.integer(loaded), rows)
      if ((await events.get({ host, at })) === undefined) throw new Error('a row is not found')
      return 1
    })
    const scan = await perSecond(limits, async () => {
      const { host, at } = rowOf(random.integer(loaded), rows)
      const page = await events.scan({ host, at: { gte: at } }).page({ size: pageSize })
      if (page.rows[0]?.at.getTime() !== at.getTime()) throw new Error('a scan does not start with its row')
      return page.rows.length
    })
    return { rows: loaded, load: (loaded / loading) * 1000, longestBatch, get, scan, rowBytes }
  } finally {
    await db.close()
  }
}

/** What `run` counts, per second: the median of the rounds, after one that does not count. */
async function perSecond({ rounds, milliseconds }: CellLimits, run: () => Promise<number>): Promise<number> {
  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) {
    await setImmediate()
    const start = performance.now()
    let [count, took] = [0, 0]
    while (took < milliseconds) {
      for (let call = 0; call < 16; call++) count += await run()
      took = performance.now() - start
    }
    if (round > 0) rates.push((count / took) * 1000)
  }
  return median(rates)
}

/** Collects garbage first, if the process was started with --expose-gc. */
function memoryInUse(): number {
  globalThis.gc?.()
  globalThis.gc?.() // the buffers that the first one freed are only counted off by the second
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const bytesIn = (folder: string): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
