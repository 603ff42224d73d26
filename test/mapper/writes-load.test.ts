import { bucket, int32, text } from '@rowkey/codec'
import { createMapper, type LoadProgress } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import type { Mutation } from '@rowkey/store'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../store/refusal.js'
import { wrapped, type Overrides } from '../store/wrapped.js'

const Logs = defineTable('logs', {
  columns: { host: text(), n: int32(), v: int32({ default: 0 }) },
  key: ['host', 'n'],
  salt: bucket({ of: 'host', count: 4 }),
})
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ host: `h${n % 7}`, n }))

async function open(overrides: Overrides = {}) {
  const store = memory()
  const db = createMapper(wrapped(store, overrides), { retry: { sleep: () => Promise.resolve() } })
  await db.ensureTables([Logs])
  const logs = db.repository(Logs)
  const count = () => logs.scan({}, { allowFullScan: true }).count()
  return { logs, count }
}
const late = async (_: readonly Mutation[], inner: () => never) => (await new Promise((resolve) => setTimeout(resolve, 0)), inner())

describe('WRITE-18: load', () => {
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
    expect(await logs.load(sources[kind as keyof typeof sources])).toEqual({ rows: 3000, batches: 12 })
    expect(await count()).toBe(3000)
    expect(await logs.load([])).toEqual({ rows: 0, batches: 0 })
  })

  test('WRITE-18: of several with one key the last stays, however far apart', async () => {
    const { logs } = await open({ write: late })
    const all = Array.from({ length: 5000 }, (_, v) => ({ host: 'h', n: v % 10, v }))
    await logs.load(all, { concurrency: 3 })
    expect((await logs.scan({ host: 'h' }).toArray()).map(({ v }) => v)).toEqual(Array.from({ length: 10 }, (_, n) => 4990 + n))
  })

  test('WRITE-18: those of one key are in one batch, which none overtakes', async () => {
    let calls = 0
    // Every second batch takes longer than the one behind it.
    const { logs } = await open({
      write: async (_, inner) => (await new Promise((resolve) => setTimeout(resolve, ++calls % 2 === 1 ? 20 : 0)), inner()),
    })
    await logs.load(
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
    await expect(logs.load(broken(), { concurrency: 2 })).rejects.toThrow('mine')
    expect(running).toBe(0)
    const failing = await open({ write: (batch) => batch.map(() => ({ kind: 'failed', cause: 'no' })) })
    expect(await codeOf(() => failing.logs.load(broken(), { concurrency: 2 }))).toBe('WRITE_INCOMPLETE')
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
    await logs.load(source(), { concurrency: 2 })
    expect(written).toBe(6000)
    expect(most).toBeLessThanOrEqual(2 * 2 * 256)
    expect(widest).toBe(2)
  })

  test('WRITE-18: a batch goes to few buckets', async () => {
    const spread: number[] = []
    const { logs } = await open({
      write: (batch, inner) => (spread.push(new Set(batch.map(({ schema, row }) => schema.layout.bucketOf(row))).size), inner()),
    })
    await logs.load(rows(2048), { concurrency: 8 })
    expect(spread.length).toBe(8)
    expect(spread.reduce((sum, buckets) => sum + buckets, 0)).toBeLessThanOrEqual(8 + 3)
  })

  test('WRITE-18: progress is told after each batch', async () => {
    const { logs } = await open()
    const told: LoadProgress[] = []
    await logs.load(rows(600), { concurrency: 1, onProgress: (progress) => told.push(progress) })
    expect(told).toEqual([
      { rows: 256, batches: 1 },
      { rows: 512, batches: 2 },
      { rows: 600, batches: 3 },
    ])
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
    const { code, details } = await refusalOf(() => logs.load(source()))
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
    const { code, details } = await refusalOf(() => logs.load(rows(1000)))
    const refused = (details['outcomes'] as { index: number }[]).map(({ index }) => index)
    expect([code, refused]).toEqual(['WRITE_INCOMPLETE', [999]])
    const mine = new Error('mine')
    const broken = (async function* () {
      yield* rows(10)
      throw mine
    })()
    await expect(logs.load(broken)).rejects.toBe(mine)
  })

  test('WRITE-18: an aborted load stops reading', async () => {
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
    await expect(logs.load(source(), { signal: controller.signal })).rejects.toBe(reason)
    expect(read).toBe(100)
  })

  test('WRITE-18: refused', async () => {
    const { logs } = await open()
    for (const source of [undefined, null, {}, 5, 'text']) expect(await codeOf(() => logs.load(source as never))).toBe('INVALID_VALUE')
    for (const options of [{ concurrency: 0 }, { onProgress: 5 }, { batch: 5 }]) {
      expect(await codeOf(() => logs.load([], options as never))).toBe('INVALID_OPTION')
    }
  })
})
