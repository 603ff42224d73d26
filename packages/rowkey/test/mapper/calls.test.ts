import { bucket, int32, text, timestamp } from '#codec'
import { createMapper, type CallEvent } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { describe, expect, test, vi } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', {
  columns: { host: text(), at: timestamp('ms'), n: int32() },
  key: ['host', 'at'],
  salt: bucket({ of: 'host', count: 4 }),
})
const key = (at: number) => ({ host: 'a', at: new Date(at) })

async function open(onCall?: (event: CallEvent) => void, store = memory()) {
  const events: CallEvent[] = []
  const db = createMapper(store, { prefix: 'dev_', onCall: onCall ?? ((event) => events.push(event)) })
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany([1, 2, 3, 4, 5].map((at) => ({ ...key(at), n: at })))
  events.length = 0
  return { things, events }
}

describe('onCall', () => {
  test('one event per call, with its rows', async () => {
    const { things, events } = await open()
    await things.get(key(1))
    await things.get(key(9))
    await things.getOrThrow(key(1))
    await things.exists(key(1))
    await things.getMany([key(1), key(9), key(1)])
    await things.insert({ ...key(6), n: 6 })
    await things.put({ ...key(6), n: 6 })
    await things.update(key(6), { n: 7 })
    await things.delete(key(6))
    await things.deleteMany([key(7), key(8)])
    await things.scan({ host: 'a' }).page({ size: 2 })
    await things.scan({ host: 'a' }, { limit: 3 }).toArray()
    await things.scan({ host: 'a' }).count()
    for await (const { n } of things.scan({ host: 'a' })) if (n === 2) break
    things.scan({ host: 'a' }).explain()
    expect(events.map(({ method, rows }) => `${method} ${rows}`)).toEqual([
      'get 1',
      'get 0',
      'getOrThrow 1',
      'exists 1',
      'getMany 2',
      'insert 1',
      'put 1',
      'update 1',
      'delete 1',
      'deleteMany 2',
      'scan.page 2',
      'scan.toArray 3',
      'scan.count 5',
      'scan.iterate 2',
    ])
    for (const event of events) {
      expect(event.table).toBe('dev_things')
      expect(event.durationMs).toBeGreaterThanOrEqual(0)
      expect('error' in event).toBe(false)
      expect('stats' in event).toBe(event.method.startsWith('scan.'))
      expect('partitions' in event).toBe(false)
    }
    expect(events.at(-2)?.stats).toMatchObject({ streams: 1, examined: 5, returned: 5 })
  })

  test('ERR-2: failures are reported and thrown on; refusals are rejections with an observer too', async () => {
    const { things, events } = await open()
    const calls = [
      () => things.get({ host: 'a' } as never),
      () => things.getOrThrow(key(9)),
      () => things.insert({ ...key(1), n: 1 }),
      () => things.scan({ hots: 'a' } as never).page(),
      () => things.scan({} as never).toArray(),
      () => things.scan({ host: 'a' }, { limit: 0 }).count(),
      () => things.scan({ host: 'a' }).page({ cursor: 'x' }),
      () => things.scan({ host: 'a' }, { limit: 0 })[Symbol.asyncIterator]().next(),
    ]
    for (const call of calls) {
      const promise = call() // never throws
      const error = await refusalOf(() => promise)
      expect(events.at(-1)).toMatchObject({ table: 'dev_things', rows: 0, error })
    }
    expect(events).toHaveLength(calls.length)
  })

  test('R24: scans of tables with partitions say how many they name, also where they fail', async () => {
    const Orders = defineTable('orders', { columns: { buyer: text(), n: int32() }, partition: ['buyer'], key: ['n'] })
    const events: CallEvent[] = []
    const db = createMapper(memory(), { onCall: (event) => events.push(event) })
    await db.ensureTables([Orders])
    const orders = db.repository(Orders)
    const two = { buyer: { in: ['ann', 'bob'] } }
    await orders.put({ buyer: 'ann', n: 1 })
    await orders.scan({ buyer: 'ann' }).page()
    await orders.scan(two).toArray()
    await orders.scan({ ...two, n: 1 }).count()
    await orders.scan({ ...two, n: { gt: 5 } }).deleteAll()
    for await (const { n } of orders.scan(two)) expect(n).toBe(1)
    await orders.scan({ buyer: { in: [] } }).count()
    await codeOf(() => orders.scan(two).page({ cursor: 'x' }))
    await codeOf(() => orders.scan({} as never).page())
    await orders.readAll().count()
    expect(events.map(({ method, partitions }) => `${method} ${partitions}`)).toEqual([
      'put undefined',
      'scan.page 1',
      'scan.toArray 2',
      'scan.count 2',
      'scan.deleteAll 2',
      'scan.iterate 2',
      'scan.count 0',
      'scan.page 2',
      'scan.page undefined',
      'readAll.count undefined',
    ])
    expect(events.filter((event) => 'partitions' in event)).toHaveLength(7)
  })

  test('rows given out before an iteration fails are counted', async () => {
    let gave = false
    const failing = wrapped(memory(), {
      scan: () => ({
        next() {
          if (gave) throw new Error('disk')
          gave = true
          return { rows: Array.from({ length: 300 }, (_, i) => ['a', i, i]), examined: 300 }
        },
        close: () => undefined,
      }),
    })
    const { things, events } = await open(undefined, failing)
    let rows = 0
    const loop = async (): Promise<void> => {
      for await (const row of things.scan({ host: 'a' })) rows += Number(row.n >= 0)
    }
    await expect(loop()).rejects.toThrow('disk')
    expect(rows).toBe(300)
    expect(events).toEqual([expect.objectContaining({ method: 'scan.iterate', rows: 300, error: new Error('disk') })])
  })

  test('an observer that throws changes no result and ends nothing; its error goes to console.error', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    try {
      const { things } = await open(() => {
        throw new Error('observer')
      })
      logged.mockClear()
      await things.insert({ ...key(9), n: 9 })
      expect(await things.get(key(9))).toMatchObject({ n: 9 })
      expect(await codeOf(() => things.insert({ ...key(9), n: 9 }))).toBe('ROW_EXISTS')
      expect(await things.scan({ host: 'a' }).count()).toBe(6)
      expect(logged.mock.calls.map(([, error]) => error as unknown)).toEqual(Array.from({ length: 4 }, () => new Error('observer')))
    } finally {
      logged.mockRestore()
    }
  })
})

describe('ERR-2: refusals are rejections, and making a scan does nothing', () => {
  test('ERR-2: scan() never throws; explain() does, every other way to use it rejects', async () => {
    const db = createMapper(memory())
    const things = db.repository(Things)
    for (const [where, options] of [
      [undefined],
      [null],
      [{ nope: 1 }],
      [{}],
      [{ host: 'a' }, { order: { n: 'asc' } }],
      [{ host: 'a' }, { maxRanges: 0 }],
      [{ host: 'a' }, { select: ['nope'] }],
    ] as unknown as [never, never?][]) {
      const scan = things.scan(where, options as never)
      expect(() => scan.explain()).toThrow()
      for (const use of ['page', 'toArray', 'count', 'deleteAll'] as const) {
        const promise = scan[use]()
        expect(promise).toBeInstanceOf(Promise)
        await refusalOf(() => promise)
      }
      await refusalOf(() => scan[Symbol.asyncIterator]().next())
    }
  })

  test('ERR-2: every way to use a scan runs it anew', async () => {
    const { things } = await open()
    const scan = things.scan({ host: 'a' })
    expect(await scan.count()).toBe(5)
    await things.delete(key(5))
    expect(await scan.count()).toBe(4)
    expect((await scan.toArray()).length).toBe(4)
  })
})

describe('encodeKey and decodeKey', () => {
  test('are inverse, with the salt, and as strict as reads', async () => {
    const { things } = await open()
    const bytes = things.encodeKey(key(5))
    expect(bytes[0]).toBeLessThan(4)
    expect(Buffer.from(bytes.subarray(1)).toString('hex')).toBe('6100008000000000000005')
    expect(things.decodeKey(bytes)).toEqual(key(5))
    expect(await codeOf(() => things.encodeKey({ host: 'a' } as never))).toBe('INVALID_VALUE')
    const whole = { ...key(5), n: 5 }
    expect(things.encodeKey(whole)).toEqual(bytes)
    expect(await codeOf(() => things.encodeKey({ ...key(5), m: 5 } as never))).toBe('UNKNOWN_COLUMN')
    const salted = Uint8Array.from(bytes)
    salted[0] = ((bytes[0] as number) + 1) % 4
    for (const wrong of [new Uint8Array(), bytes.subarray(0, 5), salted, new Uint8Array([...bytes, 0]), 'text', undefined]) {
      expect(await codeOf(() => things.decodeKey(wrong as Uint8Array))).toBe('MALFORMED_KEY')
    }
  })
})
