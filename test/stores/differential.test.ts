import { type Adapter, memory } from 'rowkey'
import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { openStores, type StoreUnderTest, long, testOn } from './open.js'
import { runProgram, type Log } from './program.js'

const seed = Number(process.env.ORACLE_SEED ?? 20_261_122)
const checkpoints = scaled(30)
const operations = 100 * checkpoints

const wanted = new Map<number, Promise<Log>>()
/** What memory says; each length once. */
function wantedOf(length: number): Promise<Log> {
  const known = wanted.get(length) ?? runProgram(memory(), seed, length, length / 100)
  wanted.set(length, known)
  return known
}

async function compare(adapter: Adapter, length: number): Promise<void> {
  const [ours, theirs] = [await wantedOf(length), await runProgram(adapter, seed, length, length / 100)]
  // The first difference says more than all.
  const differs = ours.operations.findIndex((line, i) => line !== theirs.operations[i])
  expect([differs, theirs.operations[differs]]).toEqual([differs, ours.operations[differs]])
  expect(differs).toBe(-1)
  theirs.checkpoints.forEach((line, i) => expect(line, `checkpoint ${i}`).toBe(ours.checkpoints[i]))
  expect([theirs.operations.length, theirs.checkpoints.length]).toEqual([length, length / 100])
}

/** Operations among which is everything that the program is for, in a short run too. */
const enough = Math.max(3000, operations)

test('the program does what it is for: writes, refusals of every sort, rows at every checkpoint', async () => {
  const { operations: log, checkpoints: seen } = await wantedOf(enough)
  expect([log.length, seen.length]).toEqual([enough, enough / 100])
  for (const code of ['ROW_EXISTS', 'ROW_NOT_FOUND', 'VERSION_CONFLICT', 'CONDITION_FAILED', 'OUT_OF_RANGE']) {
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
