import { bucket, int32, text } from '#codec'
import { createMapper, type Options } from '#mapper'
import { createPausing } from '#mapper/internal'
import { memory } from '#memory'
import { defineTable } from '#model'
import type { Mutation } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

const Logs = defineTable('logs', {
  columns: { host: text(), n: int32(), v: int32({ default: 0 }) },
  key: ['host', 'n'],
  salt: bucket({ of: 'host', count: 4 }),
})
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ host: `h${n % 7}`, n }))

async function open(overrides: Overrides = {}) {
  const store = memory()
  const db = createPausing(wrapped(store, overrides), {}, { sleep: () => Promise.resolve() })
  await db.ensureTables([Logs])
  const logs = db.repository(Logs)
  const count = () => logs.scan({}, { unbounded: true }).count()
  return { db, logs, count }
}
const late = async (_: readonly Mutation[], inner: () => never) => (await new Promise((resolve) => setTimeout(resolve, 0)), inner())

describe('WRITE-18: putMany', () => {
  test.each(['a list', 'a generator', 'an async generator'])('WRITE-18: %s', async (kind) => {
    const { logs, count } = await open({ write: late })
    const all = rows(3000)
    const sources = {
      'a list': all,
      'a generator': all.values(),
      'an async generator': (async function* () {
        yield* all
      })(),
    }
    expect(await logs.putMany(sources[kind as keyof typeof sources])).toEqual({ rows: 3000 })
    expect(await count()).toBe(3000)
    expect([await logs.putMany([]), await logs.putMany(rows(0).values())]).toEqual([{ rows: 0 }, { rows: 0 }])
  })

  test('WRITE-18: a list is sent as one, and by windows if its options say so', async () => {
    const sent: number[] = []
    const { logs } = await open({ write: (batch, inner) => (sent.push(batch.length), inner()) })
    await logs.putMany(rows(600))
    await logs.putMany(rows(600), { concurrency: 1 })
    await logs.putMany(rows(600).values(), { concurrency: 1 })
    expect(sent).toEqual([600, 256, 256, 88, 256, 256, 88])
  })

  test('WRITE-18: nothing of a list is written if one of its rows is refused', async () => {
    const { logs, count } = await open()
    const list = [...rows(600), { host: 'h', n: 'x' as never }]
    for (const options of [{}, { concurrency: 1 }, { window: 100 }]) {
      await expect(logs.putMany(list, options)).rejects.toThrow(/at index 600 /)
      expect(await count()).toBe(0)
    }
  })

  test('WRITE-18: of several with one key the last stays, however far apart', async () => {
    const { logs } = await open({ write: late })
    const all = Array.from({ length: 5000 }, (_, v) => ({ host: 'h', n: v % 10, v }))
    await logs.putMany(all, { concurrency: 3 })
    expect((await logs.scan({ host: 'h' }).toArray()).map(({ v }) => v)).toEqual(Array.from({ length: 10 }, (_, n) => 4990 + n))
  })

  test('WRITE-18: those of one key are in one batch, which none overtakes', async () => {
    let calls = 0
    // Every second batch takes longer than the one behind it.
    const { logs } = await open({
      write: async (_, inner) => (await new Promise((resolve) => setTimeout(resolve, ++calls % 2 === 1 ? 20 : 0)), inner()),
    })
    await logs.putMany(
      Array.from({ length: 700 }, (_, v) => ({ host: 'h', n: v % 3, v })),
      { concurrency: 3 },
    )
    expect((await logs.scan({ host: 'h' }).toArray()).map(({ v }) => v)).toEqual([699, 697, 698])
  })

  test('WRITE-18: an error waits for what is on its way, and one of the store comes first', async () => {
    let running = 0
    const slow = async (_: readonly Mutation[], inner: () => never) => {
      running++
      await new Promise((resolve) => setTimeout(resolve, 20))
      running--
      return inner()
    }
    function* broken() {
      yield* rows(600)
      throw new Error('mine')
    }
    const { logs } = await open({ write: slow })
    await expect(logs.putMany(broken(), { concurrency: 2 })).rejects.toThrow('mine')
    expect(running).toBe(0)
    const failing = await open({ write: (batch) => batch.map(() => ({ kind: 'failed', cause: 'no' })) })
    expect(await codeOf(() => failing.logs.putMany(broken(), { concurrency: 2 }))).toBe('WRITE_INCOMPLETE')
  })

  test('WRITE-18: the source waits for the store: at most two windows are read ahead', async () => {
    let read = 0
    let written = 0
    let most = 0
    let running = 0
    let widest = 0
    const { logs } = await open({
      write: async (batch, inner) => {
        widest = Math.max(widest, ++running)
        await new Promise((resolve) => setTimeout(resolve, 0))
        running--
        written += batch.length
        return inner()
      },
    })
    function* source() {
      for (const row of rows(6000)) {
        most = Math.max(most, ++read - written)
        yield row
      }
    }
    await logs.putMany(source(), { concurrency: 2 })
    expect(written).toBe(6000)
    expect(most).toBeLessThanOrEqual(2 * 2 * 256)
    expect(widest).toBe(2)
  })

  test('WRITE-18: a batch goes to few buckets', async () => {
    const spread: number[] = []
    const { logs } = await open({
      write: (batch, inner) => (spread.push(new Set(batch.map(({ schema, row }) => schema.layout.bucketOf(row))).size), inner()),
    })
    await logs.putMany(rows(2048), { concurrency: 8 })
    expect(spread.length).toBe(8)
    expect(spread.reduce((sum, buckets) => sum + buckets, 0)).toBeLessThanOrEqual(8 + 3)
  })

  test('WRITE-18: progress is told after each batch', async () => {
    const { logs } = await open()
    const told: Options.PutProgress[] = []
    await logs.putMany(rows(600), { concurrency: 1, onProgress: (progress) => told.push(progress) })
    expect(told).toEqual([
      { rows: 256, batches: 1, certain: 256 },
      { rows: 512, batches: 2, certain: 512 },
      { rows: 600, batches: 3, certain: 600 },
    ])
  })

  test('WRITE-18: a table that is dropped and created again in the meantime has lost rows, so the call does not go on in it', async () => {
    const { db, logs, count } = await open()
    const source = async function* () {
      yield* rows(300)
      await db.dropTables([Logs])
      await db.ensureTables([Logs])
      yield* rows(600).slice(300)
    }
    expect(await codeOf(() => logs.putMany(source(), { window: 100 }))).toBe('TABLE_NOT_FOUND')
    expect(await count()).toBe(0)
  })

  test('WRITE-18: a row that is refused names its place, and the source is closed', async () => {
    const { logs } = await open()
    let closed = false
    function* source() {
      try {
        for (const row of rows(3000)) yield row.n === 2500 ? { ...row, n: 'x' as never } : row
      } finally {
        closed = true
      }
    }
    const { code, details } = await refusalOf(() => logs.putMany(source()))
    expect([code, details['index'], closed]).toEqual(['INVALID_VALUE', 2500, true])
  })

  test('WRITE-18: what the store refuses is told by the places in the source; an error of the source comes as it is', async () => {
    const { logs } = await open({
      write: (batch, inner) => {
        const outcomes = inner() as readonly { kind: 'applied' }[]
        return batch.map(({ row }, i) =>
          (row[1] as number) % 1000 === 999 ? { kind: 'failed', cause: 'no' } : (outcomes[i] as { kind: 'applied' }),
        )
      },
    })
    const { code, details } = await refusalOf(() => logs.putMany(rows(1000).values()))
    const refused = (details['outcomes'] as { index: number }[]).map(({ index }) => index)
    expect([code, refused]).toEqual(['WRITE_INCOMPLETE', [999]])
    const mine = new Error('mine')
    const broken = (async function* () {
      yield* rows(10)
      throw mine
    })()
    await expect(logs.putMany(broken)).rejects.toBe(mine)
  })

  test('WRITE-18: an aborted call stops reading', async () => {
    const { logs } = await open()
    const controller = new AbortController()
    const reason = new Error('enough')
    let read = 0
    function* source() {
      for (const row of rows(5000)) {
        if (++read === 100) controller.abort(reason)
        yield row
      }
    }
    await expect(logs.putMany(source(), { signal: controller.signal })).rejects.toBe(reason)
    expect(read).toBe(100)
  })

  test('WRITE-18: the rows before the one that fails are written, also in the last window', async () => {
    const broken = function* () {
      yield* rows(300)
      throw new Error('mine')
    }
    for (const [source, error] of [
      [() => broken(), 'mine'],
      [() => [...rows(300), { host: 'h', n: 'x' as never }, ...rows(10)].values(), /^INVALID_VALUE: at index 300 /],
    ] as const) {
      const { logs, count } = await open({ write: late })
      await expect(logs.putMany(source(), { concurrency: 1 })).rejects.toThrow(error)
      expect(await count()).toBe(300)
    }
  })

  test('WRITE-18: a failed batch is heard at the next row, not when the next window is full', async () => {
    const { logs } = await open({ write: (batch) => batch.map(() => ({ kind: 'failed', cause: 'no' })) })
    let read = 0
    let closed = false
    const source = async function* () {
      try {
        for (const row of rows(5000)) {
          read++
          await Promise.resolve()
          yield row
        }
      } finally {
        closed = true
      }
    }
    expect(await codeOf(() => logs.putMany(source(), { concurrency: 1 }))).toBe('WRITE_INCOMPLETE')
    expect([closed, read < 300]).toEqual([true, true])
  })

  test.each(['an abort', 'a deadline'])('WRITE-18: %s ends a call whose source hangs, and has the source clean up', async (what) => {
    let written = 0
    const { logs, count } = await open({ write: (batch, inner) => ((written += batch.length), inner()) })
    const controller = new AbortController()
    const reason = new Error('enough')
    let left = 0
    const source: AsyncIterableIterator<{ host: string; n: number }> = {
      next: () => (left++ === 0 ? Promise.resolve({ done: false, value: { host: 'h', n: 1 } }) : new Promise<never>(() => undefined)),
      return: () => ((left = -1), new Promise<never>(() => undefined)),
      [Symbol.asyncIterator]: () => source,
    }
    if (what === 'an abort') {
      setTimeout(() => controller.abort(reason), 5)
      await expect(logs.putMany(source, { signal: controller.signal })).rejects.toBe(reason)
    } else {
      const { code, details } = await refusalOf(() => logs.putMany(source, { deadline: Date.now() + 20 }))
      expect([code, details['table'], details['rows']]).toEqual(['DEADLINE', 'logs', 0])
    }
    expect([left, written, await count()]).toEqual([-1, 0, 0])
  })

  test('WRITE-18: an abort ends a call that waits for the store or for a check, and nothing more is sent', async () => {
    let sent = 0
    const reason = new Error('enough')
    const [first, second] = [new AbortController(), new AbortController()]
    const hangs = (controller: AbortController) => (setTimeout(() => controller.abort(reason), 1), new Promise<never>(() => undefined))
    const { logs } = await open({ write: () => (sent++, hangs(first)) })
    await expect(logs.putMany(rows(5000), { signal: first.signal, concurrency: 2 })).rejects.toBe(reason)
    expect(sent).toBe(2)
    const third = new AbortController()
    const told: Options.PutProgress[] = []
    const late = async (_: readonly Mutation[], inner: () => never) => (await new Promise((resolve) => setTimeout(resolve, 5)), inner())
    const slow = await open({ write: (batch, inner) => (third.abort(reason), late(batch, inner as never)) })
    await expect(slow.logs.putMany(rows(3).values(), { signal: third.signal, onProgress: (progress) => told.push(progress) })).rejects.toBe(
      reason,
    )
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect([told, await slow.count()]).toEqual([[], 3]) // written all the same, and nobody is told
    const check = { '~standard': { version: 1 as const, vendor: 'test', validate: () => hangs(second) } }
    const db = createMapper(memory())
    const Checked = defineTable('checked', { columns: { k: text() }, key: ['k'], check })
    await db.ensureTables([Checked])
    await expect(db.repository(Checked).putMany([{ k: 'a' }].values(), { signal: second.signal })).rejects.toBe(reason)
  })

  test('WRITE-18: a store and a source that answer at once let timers run: an abort is heard', async () => {
    const { logs } = await open()
    let read = 0
    function* endless() {
      for (;;) yield { host: 'h', n: read++ % 1000 }
    }
    await expect(logs.putMany(endless(), { signal: AbortSignal.timeout(5) })).rejects.toThrow('timeout')
    expect(read).toBeGreaterThan(0)
  })

  test('WRITE-18: an onProgress that throws does not fail rows that are written', async () => {
    const { logs, count } = await open()
    const heard: unknown[] = []
    const error = console.error
    console.error = (...said: unknown[]) => void heard.push(said[1])
    const mine = new Error('mine')
    try {
      const onProgress = () => {
        throw mine
      }
      expect(await logs.putMany(rows(300), { concurrency: 1, onProgress })).toEqual({ rows: 300 })
    } finally {
      console.error = error
    }
    expect([heard, await count()]).toEqual([[mine, mine], 300])
  })

  // Of the batches of a window any one may fail, also when others that come after it are written.
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('WRITE-18: a call that stops at batch %i goes on after the rows that are certain', async (stop) => {
    let calls = 0
    const sent: Mutation[] = []
    const { logs, count } = await open({
      write: async (batch, inner) => {
        const call = ++calls
        await new Promise((resolve) => setTimeout(resolve, call % 3))
        if (call === stop) return batch.map(() => ({ kind: 'failed', cause: 'no' }))
        sent.push(...batch)
        return inner()
      },
    })
    const all = rows(2000)
    let certain = 0
    const onProgress = (progress: Options.PutProgress) => (certain = progress.certain)
    expect(await codeOf(() => logs.putMany(all, { concurrency: 2, onProgress }))).toBe('WRITE_INCOMPLETE')
    expect(certain).toBe(Math.floor((stop - 1) / 2) * 512)
    const isThere = new Set(sent.map(({ row }) => row[1]))
    expect(all.slice(0, certain).filter(({ n }) => !isThere.has(n))).toEqual([])
    expect(await logs.putMany(all.slice(certain), { concurrency: 2 })).toEqual({ rows: 2000 - certain })
    expect(await count()).toBe(2000)
    // What was certain is not sent again.
    expect(sent.filter(({ row }) => (row[1] as number) < certain).length).toBe(certain)
  })

  test('WRITE-18: certain are also the rows before the one that is refused', async () => {
    const { logs } = await open({ write: late })
    const told: number[] = []
    const broken = [...rows(700), { host: 'h', n: 'x' as never }].values()
    expect(await codeOf(() => logs.putMany(broken, { concurrency: 1, onProgress: ({ certain }) => told.push(certain) }))).toBe(
      'INVALID_VALUE',
    )
    expect(told).toEqual([256, 512, 700])
  })

  test.each(['a row that is refused', 'a source that throws'])('WRITE-18: %s leaves its window unwritten', async (what) => {
    const { logs, count } = await open({ write: late })
    function* source() {
      yield* rows(250)
      if (what === 'a source that throws') throw new Error('mine')
      yield { host: 'h', n: 'x' as never }
    }
    const told: number[] = []
    const options = { window: 100, onProgress: ({ certain }: Options.PutProgress) => told.push(certain) }
    await expect(logs.putMany(source(), options)).rejects.toThrow(what === 'a source that throws' ? 'mine' : /at index 250 /)
    expect([told, await count()]).toEqual([[100, 200], 200])
    expect(await logs.putMany(rows(250), options)).toEqual({ rows: 250 })
  })

  test('WRITE-18: with patience a store that acknowledges some rows is waited for, and one that hangs is not', async () => {
    const slow = await open({
      write: async (batch, inner) => {
        await new Promise((resolve) => setTimeout(resolve, 250))
        const outcomes = (await inner()) as readonly { kind: 'applied' }[]
        return batch.map((_, at) => (at < 32 ? (outcomes[at] as { kind: 'applied' }) : { kind: 'unprocessed' }))
      },
    })
    // Eight answers are more than it waits for one.
    expect(await slow.logs.putMany(rows(256), { patience: '1s' })).toEqual({ rows: 256 })
    const hanging = await open({ write: () => new Promise<never>(() => undefined) })
    const { code, details } = await refusalOf(() => hanging.logs.putMany(rows(256), { patience: '20ms' }))
    expect([code, details['table']]).toEqual(['DEADLINE', 'logs'])
    const signal = AbortSignal.timeout(5)
    await expect(hanging.logs.putMany(rows(256), { patience: '100s', signal })).rejects.toThrow('timeout')
    const { details: late } = await refusalOf(() => hanging.logs.putMany(rows(256), { patience: '100s', deadline: Date.now() + 20 }))
    expect(late['rows']).toBe(0)
  })

  test('WRITE-18: refused', async () => {
    const { logs } = await open()
    for (const source of [undefined, null, {}, 5, 'text']) expect(await codeOf(() => logs.putMany(source as never))).toBe('INVALID_VALUE')
    for (const options of [
      { concurrency: 0 },
      { onProgress: 5 },
      { batch: 5 },
      { patience: 1000 },
      { patience: '0ms' },
      { patience: '25d' },
      { window: 0 },
      { window: 513, concurrency: 2 },
    ]) {
      for (const given of [[], [].values()]) expect(await codeOf(() => logs.putMany(given, options as never))).toBe('INVALID_OPTION')
    }
  })
})
