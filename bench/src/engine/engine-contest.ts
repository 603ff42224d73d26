import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Contest, Contestant, Operation } from '../duel/contestant.js'
import type { Engine } from './engine.js'
import { inputCount } from '../measure/loop.js'
import { jsSdsl } from './candidates/js-sdsl.js'
import { lmdbEngine } from './candidates/lmdb.js'
import { plainMap } from './candidates/map.js'
import { memoryLevel } from './candidates/memory-level.js'
import { rowkeyEngine } from './candidates/rowkey.js'
import { sortedBtree, sortedBtreeBuffers } from './candidates/sorted-btree.js'
import { sampleRows, type SampleRow } from './sample.js'

/** Rows that are put, and others that are deleted, between two measurements at most. */
const spare = 65_536
const scanned = 100

/** Sorted maps with `count` rows, which stay `count`: what a measurement puts or deletes is undone before the next, uncounted. */
export function engineContest(count: number): Contest {
  const contestant =
    <K>(make: () => Engine<K>) =>
    () =>
      party(make(), count)
  return {
    id: `E${count >= 1e6 ? `${count / 1e6}M` : `${count / 1000}k`}`,
    title: `sorted maps of ${count.toLocaleString('en')} rows with rowkeys of about 40 bytes`,
    base: 'sorted-btree',
    operations: ['put', 'get', `scan ${scanned}`, `reverse ${scanned}`, 'delete'],
    allocation: false,
    parties: new Map<string, () => Promise<Contestant>>([
      ['rowkey', contestant(() => rowkeyEngine(true))],
      ['rowkey, tree alone', contestant(() => rowkeyEngine(false))],
      ['sorted-btree', contestant(sortedBtree)],
      ['sorted-btree, buffers', contestant(sortedBtreeBuffers)],
      ['js-sdsl', contestant(jsSdsl)],
      ['memory-level', contestant(memoryLevel)],
      ['lmdb', contestant(lmdbEngine)],
      ['Map', contestant(plainMap)],
    ]),
  }
}

async function party<K>(engine: Engine<K>, count: number): Promise<Contestant> {
  const sample = sampleRows(count + spare)
  const collect = collector()
  const before = collect()
  const keys = sample.map(({ key }) => engine.keyOf(key))
  // Each key is made anew for the engine, so that no contestant finds the very object it keeps.
  for (let i = 0; i < count; i++) engine.set(engine.keyOf(copyOf((sample[i] as SampleRow).key)), (sample[i] as SampleRow).row)
  await engine.settle?.()
  const rowBytes = (collect() - before) / count
  check(engine, sample, keys, count)
  const fresh = keys.slice(count)
  let [put, deleted] = [0, 0]
  const present = keys.slice(0, count)
  const doomed = present.slice(0, Math.min(spare, count >> 1))
  let at = 0
  const next = (): K => present[(at = (at + 1) % count)] as K
  const operation = (run: () => unknown, isAsync = false): Operation => ({ inputs: new Array<number>(inputCount).fill(0), run, isAsync })
  const { scan, reverse, isAsync = false } = engine
  const operations: Record<string, Operation> = { get: operation(() => engine.get(next()), isAsync) }
  if (scan !== undefined) operations[`scan ${scanned}`] = operation(() => scan(next(), scanned), isAsync)
  if (reverse !== undefined) operations[`reverse ${scanned}`] = operation(() => reverse(next(), scanned), isAsync)
  if (engine.writes) {
    operations['put'] = operation(() => {
      engine.set(fresh[put % fresh.length] as K, (sample[count] as SampleRow).row)
      put++
    })
    operations['delete'] = operation(() => {
      engine.delete?.(doomed[deleted % doomed.length] as K)
      deleted++
    })
  }
  return {
    operations,
    facts: { rowBytes },
    meanwhile() {
      for (let i = Math.min(put, fresh.length) - 1; i >= 0; i--) engine.delete?.(fresh[i] as K)
      for (let i = Math.min(deleted, doomed.length) - 1; i >= 0; i--) engine.set(doomed[i] as K, (sample[i] as SampleRow).row)
      put = 0
      deleted = 0
    },
  }
}

/** All contestants find what they hold, in order. */
function check<K>(engine: Engine<K>, sample: readonly SampleRow[], keys: readonly K[], count: number): void {
  const sorted = sample
    .slice(0, count)
    .map(({ key }) => key)
    .sort()
  const places = new Map(sorted.map((key, i) => [key, i]))
  for (let i = 0; i < count; i += Math.ceil(count / 100)) {
    const key = keys[i] as K
    if (engine.get(key) === undefined) throw new Error('a row is not found')
    const place = places.get((sample[i] as SampleRow).key) as number
    const forward = engine.scan?.(key, 7)
    const backward = engine.reverse?.(key, 7)
    if (Array.isArray(forward) && forward.length !== Math.min(7, count - place)) throw new Error('a scan is short')
    if (Array.isArray(backward) && backward.length !== Math.min(7, place + 1)) throw new Error('a reverse scan is short')
  }
}

/** The same characters in a string of its own. */
const copyOf = (key: string): string => Buffer.from(key, 'latin1').toString('latin1')

function collector(): () => number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  return () => {
    gc()
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
}
