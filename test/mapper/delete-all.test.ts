import { int32 } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import type { Mutation } from '@rowkey/store/adapter'
import { expect, test } from 'vitest'
import { refusalOf } from '../store/refusal.js'
import { always, wrapped } from '../store/wrapped.js'

const Things = defineTable('things', { columns: { n: int32() }, key: ['n'] })

/** Rows in a store that gets to no delete; how often it was asked for one, and what happens in the pauses. */
async function open(sleep: () => Promise<void>) {
  const store = memory()
  await createMapper(store).ensureTables([Things])
  await createMapper(store)
    .repository(Things)
    .putMany([{ n: 1 }, { n: 2 }])
  let writes = 0
  const write = (batch: readonly Mutation[]) => (writes++, always({ kind: 'unprocessed' })(batch))
  const db = createMapper(wrapped(store, { write }), {
    clock: () => 1000,
    retry: { random: () => 0.5, sleep },
  })
  return { scan: (options: object) => db.repository(Things).scan({ n: { gte: 0 } }, options), writes: () => writes }
}

test('SCAN-9: the deletes of deleteAll end with the signal of the scan', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const { scan, writes } = await open(async () => controller.abort(reason))
  await expect(scan({ signal: controller.signal }).deleteAll()).rejects.toBe(reason)
  expect(writes()).toBe(1)
})

test('SCAN-9: the deletes of deleteAll are sent again until the deadline of the scan', async () => {
  let pauses = 0
  const { scan, writes } = await open(() => (++pauses < 4 ? Promise.resolve() : new Promise(() => undefined)))
  const { code, details, cause } = await refusalOf(() => scan({ deadline: 2000 }).deleteAll()) // in a second
  expect(code).toBe('DEADLINE')
  expect(writes()).toBe(4)
  expect(cause).toMatchObject({ details: { outcomes: [{ kind: 'unprocessed' }, { kind: 'unprocessed' }] } })
  expect(await scan({ cursor: details['cursor'] }).count()).toBe(2) // the rows that were not deleted come again
})
