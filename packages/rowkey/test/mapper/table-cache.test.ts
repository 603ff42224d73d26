import { text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import type { TableCatalog } from '#store/adapter'
import { afterEach, expect, test, vi } from 'vitest'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', { columns: { k: text() }, key: ['k'] })
afterEach(() => vi.restoreAllMocks())

/** A store whose answers to the question for a catalog come when the test says so, or never. */
async function open() {
  const store = memory()
  await createMapper(store).ensureTables([Things])
  const asked: ((answer: 'given' | Error) => void)[] = []
  const describeTable = (name: string): Promise<TableCatalog | undefined> =>
    new Promise((resolve, reject) => {
      asked.push((answer) => (answer === 'given' ? resolve(store.describeTable(name)) : reject(answer)))
    })
  const db = createMapper(Object.assign(wrapped(store, {}), { describeTable }))
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  return { things: db.repository(Things), db, asked, later: (ms: number) => now.mockReturnValue(1000 + ms) }
}

test('a table is opened once for all who ask at the same time, and then stays open', async () => {
  const { things, asked } = await open()
  const calls = [things.get({ k: 'a' }), things.get({ k: 'b' }), things.put({ k: 'c' })]
  expect(asked).toHaveLength(1)
  asked[0]?.('given')
  await Promise.all(calls)
  await things.get({ k: 'a' })
  expect(asked).toHaveLength(1)
})

test('a failure is not kept', async () => {
  const { things, asked } = await open()
  const call = things.get({ k: 'a' })
  asked[0]?.(new Error('not now'))
  await expect(call).rejects.toThrow('not now')
  const again = things.get({ k: 'a' })
  asked[1]?.('given')
  expect(await again).toBeUndefined()
})

test('who comes after a lost answer does not wait for it for ever: the catalog is asked for once more', async () => {
  const { things, asked, later } = await open()
  const lost = things.get({ k: 'a' })
  later(9999)
  const joined = things.get({ k: 'a' })
  expect(asked).toHaveLength(1)
  later(10_000)
  const next = things.get({ k: 'a' })
  expect(asked).toHaveLength(2)
  asked[1]?.('given')
  expect(await next).toBeUndefined()
  // What comes late is an answer all the same, for those who still wait, and no failure of theirs closes the table.
  asked[0]?.(new Error('late'))
  await expect(lost).rejects.toThrow('late')
  await expect(joined).rejects.toThrow('late')
  await things.get({ k: 'a' })
  expect(asked).toHaveLength(2)
})

test('a table that is dropped while it is opened does not stay open', async () => {
  const { things, db, asked } = await open()
  const call = things.get({ k: 'a' })
  await db.dropTables([Things])
  asked[0]?.(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
  void things.get({ k: 'a' }).catch(() => undefined)
  expect(asked).toHaveLength(2)
})
