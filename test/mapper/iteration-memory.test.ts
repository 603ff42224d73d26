import { bucket, int32, text, timestamp } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use after a collection: what is really held. */
function held(): number {
  collect()
  return process.memoryUsage().heapUsed
}

const Timeline = defineTable('timeline', {
  columns: { at: timestamp('ms'), host: text(), seq: int32(), message: text() },
  key: ['at', 'host', 'seq'],
  salt: bucket({ of: ['host'], count: 16 }),
})

test('SCAN-1: iteration holds one page per bucket, never the result', { timeout: 120_000 }, async () => {
  const db = createMapper(memory())
  await db.ensureTables([Timeline])
  const rows = db.repository(Timeline)
  const count = 200_000
  for (let from = 0; from < count; from += 10_000) {
    await rows.putMany(
      Array.from({ length: 10_000 }, (_, i) => ({ at: new Date(from + i), host: `web-${i % 40}`, seq: i, message: `message ${from + i}` })),
    )
  }
  const before = held()
  let seen = 0
  let most = 0
  for await (const row of rows.scan({}, { allowFullScan: true })) {
    if (++seen % 40_000 === 0) most = Math.max(most, held() - before)
    if (row.at.getTime() !== seen - 1) throw new Error(`row ${seen} is at ${row.at.getTime()}`)
  }
  expect(seen).toBe(count)
  // All objects at once would be some 40 MB.
  expect(most).toBeLessThan(12 * 2 ** 20)
})
