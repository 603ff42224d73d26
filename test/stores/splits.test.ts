import { type Adapter, bucket, createMapper, defineTable, int32, memory, nullable, text } from 'rowkey'
import { lmdb } from '@rowkey/lmdb'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStores, long, testOn } from './open.js'

const columns = { n: int32(), note: nullable(text()) }
const models = {
  'one bucket': defineTable('split_one', { columns, key: ['n'], writes: 'plain' }),
  '16 buckets': defineTable('split_16', { columns, key: ['n'], salt: bucket({ of: 'n', count: 16 }), writes: 'plain' }),
}
const rows = 4000

/** The sizes of the splits of a table, which together are the table, and the number of parts that a full scan reads at a time. */
async function sizesOf(adapter: Adapter, model: keyof typeof models): Promise<readonly number[]> {
  const db = createMapper(adapter, { prefix: `split${process.pid}_` })
  const table = models[model]
  await db.ensureTables([table])
  const things = db.repository(table)
  await things.putMany(Array.from({ length: rows }, (_, n) => ({ n, note: `note ${n}` })))
  const sizes = await Promise.all((await things.parts(4)).map((checkpoint) => things.readAll({ checkpoint }).count()))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows)
  const seen = new Set<number>()
  for await (const { n } of things.readAll({ parallel: 4 })) {
    expect(seen.has(n), `row ${n} comes twice`).toBe(false)
    seen.add(n)
  }
  expect(seen.size).toBe(rows)
  await db.dropTables([table])
  return sizes
}

/** Every split has the same size, but for 5 % of a quarter of the rows. */
function expectEqual(sizes: readonly number[], count = 4): void {
  expect(sizes).toHaveLength(count)
  for (const size of sizes) expect(Math.abs(size - rows / count)).toBeLessThanOrEqual(rows / 80)
}

for (const model of ['one bucket', '16 buckets'] as const) {
  test(`SCAN-12: memory and LMDB split a table of ${model} into equal parts`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rowkey-splits-'))
    for (const adapter of [memory(), lmdb(join(folder, 'db'), { sync: false })]) {
      expectEqual(await sizesOf(adapter, model))
      await adapter.close()
    }
    rmSync(folder, { recursive: true })
  })
}

// moto ignores segments. That its parts are the table, the conformance suite tests.
for (const store of (await openStores(0)).filter(({ name }) => name !== 'moto')) {
  const { name } = store
  const title = `SCAN-12: ${name} splits tables of one bucket and of 16`
  testOn(store, title, long, async () => {
    const { adapter, close } = await store.open()
    const [one, many] = [await sizesOf(adapter, 'one bucket'), await sizesOf(adapter, '16 buckets')]
    if (name.startsWith('redis')) [one, many].forEach((sizes) => expectEqual(sizes))
    else if (name === 'hbase') {
      expect(one).toEqual([rows]) // one region
      expectEqual(many)
    } else if (name === 'kudu') {
      expectEqual(one, 2) // its splits are groups of tablets, and its kit has two for a table without a salt
      expectEqual(many)
    } else {
      // Their splits are ranges of hashes of partitions, and a bucket is one partition.
      expect(one.toSorted((a, b) => a - b)).toEqual([0, 0, 0, rows])
      expect(many.filter((size) => size > 0).length).toBeGreaterThan(1)
      console.log(`splits of 16 buckets on ${name}: ${many.join(', ')}`)
    }
    await close()
  })
}
