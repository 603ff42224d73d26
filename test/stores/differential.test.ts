import { type Adapter, memory } from 'rowkey'
import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { lacksOf, type Lack } from '../kit/lacks.js'
import { openStores, type StoreUnderTest, long, testOn } from './open.js'
import { runProgram, type Log } from './program.js'

const seed = Number(process.env.ORACLE_SEED ?? 20_261_122)
const checkpoints = scaled(30)
const operations = 100 * checkpoints

const wanted = new Map<string, Promise<Log>>()
/** What memory says to the program of a store that lacks something; each once. */
function wantedOf(length: number, lacks: readonly Lack[]): Promise<Log> {
  const name = [length, ...lacks].join()
  const known = wanted.get(name) ?? runProgram(memory(), seed, length, length / 100, lacks)
  wanted.set(name, known)
  return known
}

async function compare(adapter: Adapter, length: number): Promise<void> {
  const [ours, theirs] = [await wantedOf(length, lacksOf(adapter)), await runProgram(adapter, seed, length, length / 100)]
  // The first difference says more than all.
  const differs = ours.operations.findIndex((line, i) => line !== theirs.operations[i])
  expect([differs, theirs.operations[differs]]).toEqual([differs, ours.operations[differs]])
  expect(differs).toBe(-1)
  theirs.checkpoints.forEach((line, i) => expect(line, `checkpoint ${i}`).toBe(ours.checkpoints[i]))
  expect([theirs.operations.length, theirs.checkpoints.length]).toEqual([length, length / 100])
}

/** Operations among which is everything that the program is for, in a short run too. */
const enough = Math.max(3000, operations)

const refusals = ['ROW_EXISTS', 'ROW_NOT_FOUND', 'VERSION_CONFLICT', 'CONDITION_FAILED', 'OUT_OF_RANGE']
const ofPresence = refusals.slice(0, 2)

test.each([
  ['of a store that lacks nothing', [], refusals],
  ['of a store with conditions of presence that scans forwards', ['reverse', 'versions', 'columns'], ofPresence],
] as const)('the program %s does what it is for: writes, refusals of every sort, rows at every checkpoint', async (_, lacks, codes) => {
  const { operations: log, checkpoints: seen } = await wantedOf(enough, lacks)
  expect([log.length, seen.length]).toEqual([enough, enough / 100])
  expect(log.filter((line) => line.startsWith('NOT_SUPPORTED'))).toEqual([])
  for (const code of codes) {
    expect(log.filter((line) => line.startsWith(code)).length, code).toBeGreaterThan(enough / 150)
  }
  expect(log.filter((line) => line === '"written"').length).toBeGreaterThan(enough / 5)
  expect(log.filter((line) => line.startsWith('{')).length).toBeGreaterThan(enough / 50) // rows that were read
  expect(new Set(seen).size).toBe(enough / 100)
  for (const line of seen) expect(line.length).toBeGreaterThan(1000)
})

test(`ADAPTER-6: ${operations} random operations and ${checkpoints} checkpoints are the same on memory and LMDB`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-differential-'))
  const adapter = lmdb(join(folder, 'db'), { sync: false })
  await compare(adapter, operations)
  await adapter.close()
  rmSync(folder, { recursive: true })
})

for (const store of await openStores(operations)) {
  const { name, length } = store
  const title = `ADAPTER-6: ${length} random operations and ${length / 100} checkpoints are the same on memory and ${name}`
  testOn(store, title, long, () => run(store))
}

async function run({ open, length }: Pick<StoreUnderTest, 'name' | 'open' | 'length'>): Promise<void> {
  const { adapter, close } = await open()
  try {
    await compare(adapter, length)
  } finally {
    await adapter.close()
    await close()
  }
}
