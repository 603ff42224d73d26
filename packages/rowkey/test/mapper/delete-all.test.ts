import { int32 } from '#codec'
import { createMapper } from '#mapper'
import { createPausing } from '#mapper/internal'
import { memory } from '#memory'
import { defineTable } from '#model'
import type { Mutation } from '#store/adapter'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { always, wrapped } from '../../../../test/kit/wrapped.js'

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
  const db = createPausing(wrapped(store, { write }), { clock: () => 1000 }, { random: () => 0.5, sleep })
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
  const { rows } = await scan({}).page({ cursor: details['cursor'] as string })
  expect(rows).toHaveLength(2) // the rows that were not deleted come again
})

test('SCAN-9: a row that is written all the time, and still meets the scan, is deleted', async () => {
  const Jobs = defineTable('jobs', { columns: { n: int32(), runs: int32(), queue: int32() }, key: ['n'], version: 'rev' })
  const store = memory()
  const other = createMapper(store)
  await other.ensureTables([Jobs])
  const theirs = other.repository(Jobs)
  await theirs.put({ n: 1, runs: 0, queue: 7 })
  // Whatever is read of the row has another version when it is used: at once after a scan, and after each pause.
  let runs = 0
  const again = (): Promise<unknown> => theirs.update({ n: 1 }, { runs: ++runs }).catch(() => undefined)
  const busy = wrapped(store, { write: async (_batch, inner) => (await again(), inner()) })
  const mine = createPausing(busy, {}, { sleep: async () => undefined }).repository(Jobs)
  expect(await mine.scan({ n: { gte: 0 }, queue: 7 }).deleteAll()).toBe(1)
  expect(await theirs.get({ n: 1 })).toBe(undefined)
  expect(runs).toBe(2) // the version of the first attempt was an old one, the conditions of the second held
})

test('SCAN-9: a changed row is read after the pause, not before it', async () => {
  const log: string[] = []
  const store = memory()
  const Open = defineTable('open', { columns: { n: int32(), state: int32() }, key: ['n'], version: 'rev' })
  const other = createMapper(store)
  await other.ensureTables([Open])
  await other.repository(Open).put({ n: 1, state: 0 })
  let isChanged = false
  const adapter = wrapped(store, {
    get: (keys, inner, options) => (log.push('read'), inner(keys, options)),
    write: async (_batch, inner) => {
      if (!isChanged) await other.repository(Open).update({ n: 1 }, { state: 0 })
      isChanged = true
      log.push('delete')
      return inner()
    },
  })
  const mine = createPausing(adapter, {}, { sleep: async () => void log.push('pause') }).repository(Open)
  expect(await mine.scan({ n: { gte: 0 } }, { filter: ({ state }) => state === 0 }).deleteAll()).toBe(1)
  expect(log).toEqual(['delete', 'pause', 'read', 'delete'])
})

test('SCAN-9: deleteAll that ended at a cap goes on with the cursor of its error, also within a limit', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(Array.from({ length: 600 }, (_, n) => ({ n })))
  const scan = (options: object) =>
    things.scan({ n: { gte: 0 } }, { filter: ({ n }: { n: number }) => n >= 500, maxExamined: 200, ...options })
  const deleted = async (options: object) => {
    const counts: (number | string)[] = []
    for (let cursor: string | undefined; counts.length < 9;) {
      const from = cursor
      try {
        counts.push(await scan(options).deleteAll({ cursor: from }))
        return counts
      } catch (error) {
        const { code, message, details } = await refusalOf(() => Promise.reject(error))
        expect(message).toContain('Continue with deleteAll({ cursor: details.cursor })')
        counts.push(code)
        cursor = details['cursor'] as string
      }
    }
    return counts
  }
  expect(await deleted({ limit: 30 })).toEqual(['EXAMINED_LIMIT', 'EXAMINED_LIMIT', 30])
  expect((await things.scan({ n: { gte: 500 } }).toArray()).map(({ n }) => n)).toEqual(Array.from({ length: 70 }, (_, i) => 530 + i))
  expect((await deleted({})).at(-1)).toBe(70)
  expect(await things.scan({ n: { gte: 0 } }).count()).toBe(500)
})

test('SCAN-9: deleteAll takes no other options, and no cursor of a page before', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany([{ n: 1 }, { n: 2 }, { n: 3 }])
  const scan = things.scan({ n: { gte: 0 } })
  for (const wrong of [{ limit: 1 }, null, 'x']) {
    expect((await refusalOf(() => scan.deleteAll(wrong as never))).code).toBe('INVALID_OPTION')
  }
  expect((await refusalOf(() => scan.deleteAll({ cursor: 5 as never }))).code).toBe('CURSOR_INVALID')
  const first = await scan.page({ size: 1 })
  const { previous } = await scan.page({ size: 1, cursor: first.cursor })
  expect((await refusalOf(() => scan.deleteAll({ cursor: previous }))).code).toBe('CURSOR_MISMATCH')
  expect(await scan.count()).toBe(3)
})
