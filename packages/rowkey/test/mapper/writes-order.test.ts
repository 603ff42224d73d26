import { int32, text } from '#codec'
import { createMapper, type Repository } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import type { Adapter } from '#store/adapter'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { wrapped } from '../../../../test/kit/wrapped.js'

const check = z.object({ n: z.number().max(100) })
const Checked = defineTable('checked', { columns: { id: text(), n: int32(), m: int32() }, key: ['id'], version: 'rev', check })
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
  write: (rows, n, db) => db.write([rows.ops.put({ id: 'a', n })]),
  'write, atomic, with a deadline': (rows, n, db) => db.write([rows.ops.put({ id: 'a', n })], { atomic: true, ...soon() }),
}
const pairs = Object.keys(writes).flatMap((first) => Object.keys(writes).map((second) => [first, second] as const))

/** Its tables are opened late. */
function lateAdapter(base: Adapter, ms = 2): Adapter {
  return wrapped(base, { describeTable: async (_name, inner) => (await sleep(ms), inner()) })
}
/** A store on which tables are there, and nobody has opened one. */
async function cold(ms?: number) {
  const base = memory()
  await createMapper(base).ensureTables([Rows, Checked])
  return { base, adapter: lateAdapter(base, ms) }
}

test('WRITE-23: also while the table is being opened', async () => {
  const wrong: string[] = []
  for (const [first, second] of pairs) {
    const db = createMapper((await cold()).adapter)
    const rows = db.repository(Rows)
    await Promise.all([writes[first]?.(rows, 1, db), writes[second]?.(db.repository(Rows), 2, db)])
    if ((await rows.get({ id: 'a' }))?.n !== 2) wrong.push(`${first}, then ${second}`)
  }
  expect(wrong).toEqual([])
})

test.each(['aborted', 'late'])('WRITE-23: also if a write between two others is %s while the table is being opened', async (how) => {
  const wrong: string[] = []
  for (const [first, second] of pairs) {
    const db = createMapper((await cold(10)).adapter)
    const rows = db.repository(Rows)
    const abort = new AbortController()
    const between = how === 'aborted' ? { signal: abort.signal } : { deadline: Date.now() + 2 }
    const all = [
      (writes[first] as Write)(rows, 1, db),
      rows.put({ id: 'a', n: 0 }, between).catch((error: unknown) => error),
      (writes[second] as Write)(db.repository(Rows), 2, db),
    ]
    await sleep(4)
    abort.abort(new Error('enough'))
    await Promise.all(all)
    if ((await rows.get({ id: 'a' }))?.n !== 2) wrong.push(`${first}, then ${second}`)
  }
  expect(wrong).toEqual([])
})

test('WRITE-23: also of two mappers of one adapter, one of which opens the table', async () => {
  const wrong: string[] = []
  for (const [first, second] of pairs) {
    const { adapter } = await cold()
    const [open, other] = [createMapper(adapter), createMapper(adapter)]
    const rows = open.repository(Rows)
    await rows.put({ id: 'b', n: 0 })
    await Promise.all([writes[first]?.(other.repository(Rows), 1, other), writes[second]?.(rows, 2, open)])
    if ((await rows.get({ id: 'a' }))?.n !== 2) wrong.push(`${first}, then ${second}`)
  }
  expect(wrong).toEqual([])
})

type CheckedRows = Repository<typeof Checked>
const checkedPairs: readonly (readonly [
  string,
  (rows: CheckedRows) => Promise<unknown>,
  (rows: CheckedRows) => Promise<unknown>,
  unknown,
])[] = [
  ['insert, update', (rows) => rows.insert({ id: 'a', n: 1, m: 1 }), (rows) => rows.update({ id: 'a' }, { n: 2 }), { n: 2, m: 1 }],
  ['put, upsert', (rows) => rows.put({ id: 'a', n: 1, m: 1 }), (rows) => rows.upsert({ id: 'a', n: 2, m: 2 }), { n: 2, m: 2 }],
  ['upsert, increment', (rows) => rows.upsert({ id: 'a', n: 1, m: 1 }), (rows) => rows.increment({ id: 'a' }, { n: 2 }), { n: 3, m: 1 }],
  ['upsert, put', (rows) => rows.upsert({ id: 'a', n: 1, m: 1 }), (rows) => rows.put({ id: 'a', n: 2, m: 2 }), { n: 2, m: 2 }],
  ['upsert, delete', (rows) => rows.upsert({ id: 'a', n: 1, m: 1 }), (rows) => rows.delete({ id: 'a' }), undefined],
  ['upsert, putMany', (rows) => rows.upsert({ id: 'a', n: 1, m: 1 }), (rows) => rows.putMany([{ id: 'a', n: 2, m: 2 }]), { n: 2, m: 2 }],
  ['putMany, put', (rows) => rows.putMany([{ id: 'a', n: 1, m: 1 }]), (rows) => rows.put({ id: 'a', n: 2, m: 2 }), { n: 2, m: 2 }],
  [
    'putMany, modify',
    (rows) => rows.putMany([{ id: 'a', n: 1, m: 1 }]),
    (rows) => rows.modify({ id: 'a' }, () => ({ n: 2 })),
    { n: 2, m: 1 },
  ],
  ['insert, modify', (rows) => rows.insert({ id: 'a', n: 1, m: 1 }), (rows) => rows.modify({ id: 'a' }, () => ({ n: 2 })), { n: 2, m: 1 }],
  [
    'modify, put',
    (rows) => Promise.all([rows.put({ id: 'a', n: 1, m: 1 }), rows.modify({ id: 'a' }, () => ({ n: 2 }))]),
    (rows) => rows.put({ id: 'a', n: 3, m: 3 }),
    { n: 3, m: 3 },
  ],
  [
    'modify, delete',
    (rows) => Promise.all([rows.put({ id: 'a', n: 1, m: 1 }), rows.modify({ id: 'a' }, () => ({ n: 2 }))]),
    (rows) => rows.delete({ id: 'a' }),
    undefined,
  ],
  [
    'upsert, modify',
    (rows) => rows.upsert({ id: 'a', n: 1, m: 1 }),
    (rows) => rows.modify({ id: 'a' }, ({ n }) => ({ n: n + 1 })),
    { n: 2, m: 1 },
  ],
]

test.each(checkedPairs)('WRITE-23: changes that read the row, to check it: %s', async (_, first, second, wanted) => {
  const { adapter } = await cold()
  const db = createMapper(
    wrapped(adapter, {
      get: async (keys, inner, options) => (await sleep(1), inner(keys, options)),
      write: async (_batch, inner) => (await sleep(1), inner()),
    }),
  )
  const rows = db.repository(Checked)
  await Promise.all([first(rows), second(rows)])
  const found = await rows.get({ id: 'a' })
  expect(found && { n: found.n, m: found.m }).toEqual(wanted)
})

test('WRITE-23: a check and a function of modify may write to their own row', async () => {
  const { adapter } = await cold()
  let nested: Promise<unknown> | undefined
  const own = async (): Promise<unknown> => (nested ??= createMapper(adapter).repository(Rows).put({ id: 'a', n: 7 }))
  const table = { columns: { id: text(), n: int32() }, key: ['id'], version: 'rev' } as const
  const slow = z.object({ n: z.number() }).refine(async () => (await own(), true))
  const Slow = defineTable('slow', { ...table, check: slow })
  const db = createMapper(adapter)
  await db.ensureTables([Slow])
  const rows = db.repository(Slow)
  await rows.insert({ id: 'a', n: 1 })
  nested = undefined
  await rows.update({ id: 'a' }, { n: 2 })
  const again = createMapper(adapter).repository(Slow)
  await rows.modify({ id: 'a' }, async ({ n }) => {
    if (n === 2) await again.put({ id: 'a', n: 5 })
    return { n: n + 1 }
  })
  expect(await rows.get({ id: 'a' })).toMatchObject({ n: 6 })
})

test('WRITE-23: a write that is aborted while the table is being opened holds up none after it', async () => {
  const db = createMapper((await cold(5)).adapter)
  const rows = db.repository(Rows)
  const abort = new AbortController()
  const aborted = rows.put({ id: 'a', n: 1 }, { signal: abort.signal }).catch((error: unknown) => error)
  const next = rows.put({ id: 'a', n: 2 })
  abort.abort(new Error('enough'))
  expect(await aborted).toEqual(new Error('enough'))
  await next
  expect(await rows.get({ id: 'a' })).toEqual({ id: 'a', n: 2 })
})

test('WRITE-23: a table that does not open stops only writes of the same rows, and these until their callers stop waiting', async () => {
  const base = memory()
  await createMapper(base).ensureTables([Rows])
  let isHung = false
  const adapter = wrapped(base, {
    describeTable: async (_name, inner) => (isHung ? new Promise<never>(() => undefined) : inner()),
  })
  const open = createMapper(adapter).repository(Rows)
  await open.put({ id: 'b', n: 0 })
  isHung = true
  const late = createMapper(adapter)
    .repository(Rows)
    .put({ id: 'a', n: 1 }, { deadline: Date.now() + 20 })
  await open.put({ id: 'b', n: 1 })
  const next = open.put({ id: 'a', n: 2 })
  await expect(late).rejects.toMatchObject({ code: 'DEADLINE', message: expect.stringContaining('safe to repeat') as string })
  await next
  expect(await open.getMany([{ id: 'a' }, { id: 'b' }])).toEqual([{ id: 'a', n: 2 }, { id: 'b', n: 1 }]) // prettier-ignore
})

test('WRITE-23: a batch that finds no table lets no write overtake another', async () => {
  const { adapter } = await cold(10)
  const Gone = defineTable('gone', { columns: { id: text() }, key: ['id'] })
  const db = createMapper(adapter)
  const rows = db.repository(Rows)
  const all = [
    rows.put({ id: 'a', n: 1 }, soon()),
    db.write([db.repository(Gone).ops.put({ id: 'x' }), rows.ops.put({ id: 'z', n: 1 })]).catch((error: unknown) => error),
    rows.put({ id: 'a', n: 2 }),
  ] as const
  expect((await Promise.all(all))[1]).toMatchObject({ code: 'TABLE_NOT_FOUND' })
  expect(await rows.get({ id: 'a' })).toEqual({ id: 'a', n: 2 })
})

test('modify: what its function returns is a promise if it has a method then, not a column', async () => {
  const Thens = defineTable('thens', { columns: { id: text(), then: int32() }, key: ['id'], version: 'rev' })
  const db = createMapper(memory())
  await db.ensureTables([Thens])
  const rows = db.repository(Thens)
  await rows.put({ id: 'a', then: 1 })
  await rows.modify({ id: 'a' }, () => ({ then: 2 }), soon())
  let isFirst = true
  const callable = () => {
    const then = (done: (patch: object) => void): void => {
      const own = isFirst ? rows.upsert({ id: 'a', then: 3 }) : Promise.resolve()
      isFirst = false
      void own.then(() => done({ then: 4 }))
    }
    return Object.assign(() => undefined, { then })
  }
  await rows.modify({ id: 'a' }, callable as never)
  expect(await rows.exists({ id: 'a' })).toBe(true)
})
