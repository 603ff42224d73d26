import { createMapper, defineTable, memory, text, uint32, type MapperOptions } from 'rowkey'
import type { Adapter, TableStore } from '#store/adapter'
import { expect, test } from 'vitest'
import { delegate, delegateTable } from '../../src/conformance/delegate.js'
import { refusalOf } from '../../../../test/kit/refusal.js'

const Events = defineTable('events', { columns: { id: uint32(), note: text({ default: '' }) }, key: ['id'] })
const never = new Promise<never>(() => undefined)

/** A store that answers until `isDead`, and from then on never. */
async function open(options: MapperOptions) {
  const base = memory()
  const state = { isDead: false }
  const silent = <T>(answer: () => T): T => (state.isDead ? (never as T) : answer())
  const table = (store: TableStore): TableStore =>
    delegateTable(store, {
      get: (keys, read) => silent(() => store.get(keys, read)),
      scan(slice, read) {
        const source = store.scan(slice, read)
        return { next: (want) => silent(() => source.next(want)), close: () => source.close() }
      },
      fullScan(checkpoint, read) {
        const source = store.fullScan(checkpoint, read)
        return { next: (want) => silent(() => source.next(want)), close: () => source.close() }
      },
    })
  const adapter: Adapter = delegate(base, {
    table: (schema, catalog) => table(base.table(schema, catalog)),
    write: (batch, write) => silent(() => base.write(batch, write)),
  })
  // Without the options: their timeout must not end what is only prepared here, however slow the machine is.
  const before = createMapper(adapter)
  await before.ensureTables([Events])
  await before.repository(Events).putMany([1, 2, 3].map((id) => ({ id })))
  state.isDead = true
  const db = createMapper(adapter, options)
  return { db, events: db.repository(Events) }
}

type Opened = Awaited<ReturnType<typeof open>>
const calls: readonly (readonly [name: string, call: (opened: Opened) => Promise<unknown>])[] = [
  ['get', ({ events }) => events.get({ id: 1 })],
  ['getMany', ({ events }) => events.getMany([{ id: 1 }])],
  ['exists', ({ events }) => events.exists({ id: 1 })],
  ['insert', ({ events }) => events.insert({ id: 9 })],
  ['put', ({ events }) => events.put({ id: 1 })],
  ['putMany', ({ events }) => events.putMany([{ id: 1 }])],
  ['update', ({ events }) => events.update({ id: 1 }, { note: 'x' })],
  ['upsert', ({ events }) => events.upsert({ id: 1 })],
  ['delete', ({ events }) => events.delete({ id: 1 })],
  ['deleteMany', ({ events }) => events.deleteMany([{ id: 1 }])],
  ['write', ({ db, events }) => db.write([events.ops.put({ id: 1 })])],
  ['page', ({ events }) => events.scan({ id: { gte: 1 } }).page()],
  ['toArray', ({ events }) => events.scan({ id: { gte: 1 } }).toArray()],
  ['count', ({ events }) => events.scan({ id: { gte: 1 } }).count()],
]

test.each(calls)(
  '%s on a store that is silent ends with DEADLINE or an unknown outcome after the timeout of the mapper',
  async (_, call) => {
    const { code } = await refusalOf(async () => call(await open({ timeout: '30ms' })))
    expect(['DEADLINE', 'OUTCOME_UNKNOWN']).toContain(code)
  },
)

test.each(calls)('%s waits as long as the timeout is not over', async (_, call) => {
  let now = 0
  const opened = await open({ timeout: '1h', clock: () => (now += 1) })
  const result = await Promise.race([call(opened).then(String, String), new Promise((resolve) => setTimeout(resolve, 5, 'waits'))])
  expect(result).toBe('waits')
})

test('a page that is not complete in time is an error, never a shorter page; its cursor is that of its start', async () => {
  const { events } = await open({ timeout: '30ms' })
  const error = await refusalOf(() => events.scan({ id: { gte: 1 } }).page({ size: 2 }))
  expect(error.message).toMatch(/^DEADLINE: a page of 'events' was not complete within the mapper's timeout \(.*\)\. Allow more time; /)
  const { cursor } = error.details as { readonly cursor: string }
  const own = await events.scan({ id: { gte: 1 } }, { deadline: Date.now() + 20 }).page({ size: 2, cursor })
  expect(own).toMatchObject({ rows: [], stop: 'time' })
})

test('CANCEL-1: of timeout and deadline the earlier counts, and both come before the timeout of the mapper', async () => {
  const now = 1_000_000
  const { events } = await open({ timeout: '1h', clock: () => now })
  for (const [limits, deadline] of [
    [{ timeout: '20ms' }, now + 20],
    [{ deadline: now + 10 }, now + 10],
    [{ timeout: '1h', deadline: now + 10 }, now + 10],
    [{ timeout: '20ms', deadline: new Date(now + 60_000) }, now + 20],
  ] as const) {
    for (const call of [
      () => events.get({ id: 1 }, limits),
      () => events.scan({ id: { gte: 1 } }, limits).toArray(),
      () => events.readAll(limits).count(),
      () => events.put({ id: 1 }, limits),
      () => events.putMany([{ id: 1 }].values(), limits),
    ]) {
      const { code, details } = await refusalOf(call)
      expect([code, details['deadline']]).toEqual(['DEADLINE', deadline])
    }
    expect((await events.scan({ id: { gte: 1 } }, limits).page()).stop).toBe('time')
  }
})

test('what takes as long as a table is large has no timeout', async () => {
  const { events } = await open({ timeout: '20ms' })
  const long = [
    (async () => {
      for await (const row of events.scan({ id: { gte: 1 } })) expect(row).toBe(undefined)
    })(),
    events.scan({ id: { gte: 1 } }).deleteAll(),
    events.putMany([{ id: 7 }].values()),
  ]
  const first = await Promise.race([
    ...long.map((call) => call.then(String, String)),
    new Promise((resolve) => setTimeout(resolve, 80, 'all wait')),
  ])
  expect(first).toBe('all wait')
})

test('what is no duration is refused', async () => {
  for (const timeout of [1000, '1.5s', '0s', -1, null]) {
    // @ts-expect-error: only durations
    expect((await refusalOf(() => createMapper(memory(), { timeout }))).code).toBe('INVALID_OPTION')
    const { events } = await open({})
    // @ts-expect-error: only durations
    expect((await refusalOf(() => events.get({ id: 1 }, { timeout }))).code).toBe('INVALID_OPTION')
  }
})
