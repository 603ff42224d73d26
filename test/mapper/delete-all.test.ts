import { int32 } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import type { Mutation } from '@rowkey/store'
import { expect, test } from 'vitest'
import { refusalOf } from '../store/refusal.js'
import { always, wrapped } from '../store/wrapped.js'

const Things = defineTable('things', { columns: { n: int32() }, key: ['n'] })

/** Rows in a store that gets to no delete; how often it was asked for one, and what happens in the pauses. */
async function open(onSleep: () => void = () => undefined) {
  const store = memory()
  await createMapper(store).ensureTables([Things])
  await createMapper(store)
    .repository(Things)
    .putMany([{ n: 1 }, { n: 2 }])
  let writes = 0
  const write = (batch: readonly Mutation[]) => (writes++, always({ kind: 'unprocessed' })(batch))
  const db = createMapper(wrapped(store, { write }), {
    clock: () => 1000,
    retry: { random: () => 0.5, sleep: async () => onSleep() },
  })
  return { scan: (options: object) => db.repository(Things).scan({ n: { gte: 0 } }, options), writes: () => writes }
}

test('SCAN-9: the deletes of deleteAll end with the signal of the scan', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const { scan, writes } = await open(() => controller.abort(reason))
  await expect(scan({ signal: controller.signal }).deleteAll()).rejects.toBe(reason)
  expect(writes()).toBe(1)
})

test('SCAN-9: the deletes of deleteAll are sent again until the deadline of the scan', async () => {
  const { scan, writes } = await open()
  const { code, details, cause } = await refusalOf(() => scan({ deadline: 1300 }).deleteAll())
  expect(code).toBe('DEADLINE')
  expect(writes()).toBeGreaterThan(3) // pauses of 12, 25, 50 ms …; the one that would take longer than is left is the end
  expect(writes()).toBeLessThan(8)
  expect(cause).toMatchObject({ details: { outcomes: [{ kind: 'unprocessed' }, { kind: 'unprocessed' }] } })
  expect(await scan({ cursor: details['cursor'] }).count()).toBe(2) // the rows that were not deleted come again
})
