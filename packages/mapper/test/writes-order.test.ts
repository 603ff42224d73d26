import { int32, text } from '@rowkey/codec'
import { createMapper, type Repository } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { wrapped } from '../../../test/kit/wrapped.js'

const Rows = defineTable('rows', { columns: { id: text(), n: int32() }, key: ['id'] })
type Write = (rows: Repository<typeof Rows>, n: number, db: ReturnType<typeof createMapper>) => Promise<unknown>

const soon = () => ({ deadline: Date.now() + 60_000 })
const writes: Readonly<Record<string, Write>> = {
  put: (rows, n) => rows.put({ id: 'a', n }),
  'put with a deadline': (rows, n) => rows.put({ id: 'a', n }, soon()),
  'put with a signal': (rows, n) => rows.put({ id: 'a', n }, { signal: new AbortController().signal }),
  putMany: (rows, n) => rows.putMany([{ id: 'a', n }]),
  'putMany with a deadline': (rows, n) => rows.putMany([{ id: 'a', n }], soon()),
  upsert: (rows, n) => rows.upsert({ id: 'a', n }),
  write: (rows, n, db) => db.write([rows.op.put({ id: 'a', n })]),
  'write, atomic, with a deadline': (rows, n, db) => db.write([rows.op.put({ id: 'a', n })], { atomic: true, ...soon() }),
}
const pairs = Object.keys(writes).flatMap((first) => Object.keys(writes).map((second) => [first, second] as const))

test.each([true, false])('WRITE-23: also while the table is being opened, if the store keeps the order by itself: %s', async (ordered) => {
  const wrong: string[] = []
  for (const [first, second] of pairs) {
    const base = memory()
    await createMapper(base).ensureTables([Rows])
    const { ordered: _, ...capabilities } = base.capabilities
    const late = wrapped(base, { describeTable: async (_name, inner) => (await sleep(2), inner()) })
    const db = createMapper(ordered ? late : { ...late, capabilities })
    const rows = db.repository(Rows)
    await Promise.all([writes[first]?.(rows, 1, db), writes[second]?.(db.repository(Rows), 2, db)])
    if ((await rows.get({ id: 'a' }))?.n !== 2) wrong.push(`${first}, then ${second}`)
  }
  expect(wrong).toEqual([])
})

test('WRITE-23: a write that is aborted while the table is being opened holds up none after it', async () => {
  const base = memory()
  await createMapper(base).ensureTables([Rows])
  const db = createMapper(wrapped(base, { describeTable: async (_name, inner) => (await sleep(5), inner()) }))
  const rows = db.repository(Rows)
  const abort = new AbortController()
  const aborted = rows.put({ id: 'a', n: 1 }, { signal: abort.signal }).catch((error: unknown) => error)
  const next = rows.put({ id: 'a', n: 2 })
  abort.abort(new Error('enough'))
  expect(await aborted).toEqual(new Error('enough'))
  await next
  expect(await rows.get({ id: 'a' })).toEqual({ id: 'a', n: 2 })
})
