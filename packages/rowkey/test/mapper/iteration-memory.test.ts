import { bucket, int32, text, timestamp } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { shortened } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { alive } from '../../../../test/setup/garbage.js'

const Timeline = defineTable('timeline', {
  columns: { at: timestamp('ms'), host: text(), seq: int32(), message: text() },
  key: ['at', 'host', 'seq'],
  salt: bucket({ of: ['host'], count: 16 }),
})

test('SCAN-1: iteration holds one page per bucket, never the result', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Timeline])
  const rows = db.repository(Timeline)
  const count = shortened(200_000)
  for (let from = 0; from < count; from += 10_000) {
    await rows.putMany(
      Array.from({ length: 10_000 }, (_, i) => ({ at: new Date(from + i), host: `web-${i % 40}`, seq: i, message: `message ${from + i}` })),
    )
  }
  const samples: WeakRef<object>[] = []
  let seen = 0
  let held = 0
  for await (const row of rows.scan({}, { unbounded: true })) {
    if (row.at.getTime() !== seen) throw new Error(`row ${seen} is at ${row.at.getTime()}`)
    if (seen % 1000 === 0) samples.push(new WeakRef(row))
    if (++seen === count - 500) held = await alive(samples, 19)
  }
  expect(seen).toBe(count)
  expect(samples).toHaveLength(count / 1000)
  expect(held).toBeLessThan(20)
})
