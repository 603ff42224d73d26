import type { Adapter, MaybePromise, Page, PageSource, TableStore } from '#store/adapter'
import { bytes, int32, nullable, text } from '#codec'
import { createMapper, isRowkeyError } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { delegate, delegateTable } from '../../src/conformance/delegate.js'
import { refusalOf } from '../../../../test/kit/refusal.js'

const Things = defineTable('things', { columns: { n: int32(), note: nullable(text()) }, key: ['n'] })
const count = 5000
const everything = Array.from({ length: count }, (_, n) => n)
const sorted = (rows: Iterable<{ readonly n: number }>): number[] => Array.from(rows, ({ n }) => n).sort((a, b) => a - b)

/** A memory adapter with other reads. */
const withReads = (base: Adapter, replace: (store: TableStore) => Partial<TableStore>): Adapter =>
  delegate(base, {
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      return delegateTable(store, replace(store))
    },
  })

async function open(replace: (store: TableStore) => Partial<TableStore> = () => ({}), rows = count) {
  const adapter = withReads(memory(), replace)
  const db = createMapper(adapter)
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(everything.slice(0, rows).map((n) => ({ n, note: `note ${n}` })))
  return { adapter, db, things }
}

/** What full scans of an adapter that answers late do: requests under way, pages that were not asked for again, sources that are open. */
class Traffic {
  pending = 0
  mostPending = 0
  /** Pages that were returned by sources that have not been asked again. */
  held = new Set<PageSource>()
  mostHeld = 0
  opened = 0
  private readonly left = new Set<PageSource>()

  get closed(): number {
    return this.left.size
  }

  source(inner: PageSource, late: () => Promise<unknown>): PageSource {
    this.opened++
    const source: PageSource = {
      next: async (want) => {
        this.held.delete(source)
        this.mostPending = Math.max(this.mostPending, ++this.pending)
        await late()
        this.pending--
        const page = await inner.next(want)
        if (page !== undefined) this.held.add(source)
        this.mostHeld = Math.max(this.mostHeld, this.held.size + this.pending)
        return page
      },
      close: () => {
        this.left.add(source)
        inner.close()
      },
    }
    return source
  }
}

const slow = (traffic: Traffic, late: () => Promise<unknown>) => (store: TableStore) => ({
  fullScan: (checkpoint: string | undefined, options: Parameters<TableStore['fullScan']>[1]) =>
    traffic.source(store.fullScan(checkpoint, options), late),
})

async function turns(): Promise<void> {
  for (let i = Math.floor(Math.random() * 5); i >= 0; i--) await setImmediate()
}

test('SCAN-12: parts are read concurrently, as many as were asked for, with one page of each in memory, and every row comes once', async () => {
  for (const parallel of [1, 2, 4, 16]) {
    const traffic = new Traffic()
    const { things } = await open(slow(traffic, turns))
    const rows = []
    let streams = 0
    for await (const page of things.readAll({ parallel }).pages()) {
      await turns()
      rows.push(...page.rows)
      ;({ streams } = page.stats)
    }
    expect(sorted(rows)).toEqual(everything)
    expect([traffic.mostPending, traffic.opened, traffic.closed, streams]).toEqual([parallel, parallel, parallel, parallel])
    expect(traffic.mostHeld).toBeLessThanOrEqual(parallel)
  }
})

test('SCAN-12: every checkpoint resumes all parts, with any number of them at a time, on another mapper', async () => {
  const { adapter, things } = await open(slow(new Traffic(), turns))
  const seen: { readonly n: number }[] = []
  let parts = 0
  for await (const { rows, checkpoint } of things.readAll({ parallel: 4, select: ['n'] }).pages()) {
    seen.push(...rows)
    const parallel = 1 + (parts++ % 5)
    const rest = []
    for await (const row of createMapper(adapter).repository(Things).readAll({ checkpoint, parallel })) rest.push(row)
    expect(sorted([...seen, ...rest])).toEqual(everything)
    expect(await things.readAll({ checkpoint }).count()).toBe(rest.length)
  }
  expect(parts).toBeGreaterThanOrEqual(8)
})

test('SCAN-12: a checkpoint of more parts than are read at a time keeps those that have not been begun', async () => {
  const traffic = new Traffic()
  const { things } = await open(slow(traffic, turns))
  const first = await things.readAll({ parallel: 8 }).pages().next()
  const seen: { readonly n: number }[] = [...(first.value?.rows ?? [])]
  let checkpoint = first.value?.checkpoint
  while (traffic.pending > 0) await setImmediate()
  traffic.mostPending = 0
  for (let pages = 0; pages < 4; pages++) {
    const page = await things.readAll({ checkpoint, parallel: 2 }).pages().next()
    seen.push(...(page.value?.rows ?? []))
    checkpoint = page.value?.checkpoint
    while (traffic.pending > 0) await setImmediate()
  }
  expect(traffic.mostPending).toBe(2)
  for await (const row of things.readAll({ checkpoint })) seen.push(row)
  expect(sorted(seen)).toEqual(everything)
})

test('SCAN-12 SCAN-8: a split is read by itself, also in part, and by a mapper with a secret only if it was signed', async () => {
  const { adapter, things } = await open()
  const splits = await things.parts(3)
  expect(splits).toHaveLength(3)
  const sizes = await Promise.all(splits.map((checkpoint) => things.readAll({ checkpoint }).count()))
  expect(sizes).toEqual([1667, 1666, 1667])
  const found = []
  for (const split of splits) {
    let checkpoint: string | undefined = split
    while (checkpoint !== undefined) {
      const page: Awaited<ReturnType<ReturnType<ReturnType<typeof things.readAll>['pages']>['next']>> = await things
        .readAll({ checkpoint })
        .pages()
        .next()
      found.push(...(page.value?.rows ?? []))
      checkpoint = page.value?.checkpoint
    }
  }
  expect(sorted(found)).toEqual(everything)
  const sealed = createMapper(adapter, { cursorSecret: 'a secret of sixteen' }).repository(Things)
  expect((await refusalOf(() => sealed.readAll({ checkpoint: splits[0] }).count())).code).toBe('CURSOR_INVALID')
  const own = await sealed.parts(2)
  expect(await sealed.readAll({ checkpoint: own[1] }).count()).toBe(2500)
  expect((await refusalOf(() => things.readAll({ checkpoint: own[1] }).count())).code).toBe('CURSOR_INVALID')
})

test('SCAN-12: an adapter that cannot split returns one split, and reads one part', async () => {
  const adapter = withReads(memory(), ({ splits: _, ...store }) => store)
  const plain: Adapter = {
    ...adapter,
    table(schema, catalog) {
      const { splits: _, ...store } = adapter.table(schema, catalog)
      return store
    },
  }
  const db = createMapper(plain)
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(everything.map((n) => ({ n })))
  const [whole, ...others] = await things.parts(8)
  expect(others).toEqual([])
  expect(await things.readAll({ checkpoint: whole }).count()).toBe(count)
  const rows = []
  for await (const { rows: some, stats } of things.readAll({ parallel: 8 }).pages()) {
    rows.push(...some)
    expect(stats.streams).toBe(1)
  }
  expect(sorted(rows)).toEqual(everything)
})

test('SCAN-12: limits of the options are refused before anything is read', async () => {
  const { things } = await open()
  for (const parallel of [0, 17, 1.5, -1, NaN, '2', null]) {
    expect((await refusalOf(() => things.readAll({ parallel } as object).count())).code, String(parallel)).toBe('INVALID_OPTION')
  }
  for (const splits of [0, 1025, 1.5, -1, NaN, '2', undefined]) {
    expect((await refusalOf(() => things.parts(splits as number))).code, String(splits)).toBe('INVALID_OPTION')
  }
  expect((await refusalOf(() => things.parts(2, { nonsense: 1 } as object))).code).toBe('INVALID_OPTION')
  await expect(things.parts(2, { signal: AbortSignal.abort('no') })).rejects.toBe('no')
})

test.each<[string, (count: number) => MaybePromise<readonly string[]>]>([
  ['none', () => []],
  ['too many', (n) => Array.from({ length: n + 1 }, (_, i) => `${i}`)],
  ['the same one twice', () => ['a', 'a']],
  ['an empty one', () => ['', 'a']],
  ['one that is no text', () => [1, 2] as unknown as string[]],
  ['one that is too long', async () => ['a', '\u20ac'.repeat(1001)]],
])('ADAPTER-15: splits of an adapter are checked: %s', async (_, splits) => {
  const { things } = await open(() => ({ splits }))
  expect((await refusalOf(() => things.parts(3))).code).toBe('ADAPTER_FAULT')
  expect((await refusalOf(() => things.readAll({ parallel: 3 }).count())).code).toBe('ADAPTER_FAULT')
})

test.each<[string, (page: Page) => Page]>([
  ['missing', ({ checkpoint: _, ...page }) => page],
  ['too long', (page) => ({ ...page, checkpoint: `${'\u20ac'.repeat(1001)}${String(page.rows[0]?.[0])}` })],
])('ADAPTER-15: checkpoints of parts are checked: %s', async (_, change) => {
  const { things } = await open((store) => ({
    fullScan(checkpoint, options) {
      const inner = store.fullScan(checkpoint, options)
      const next = (want: number): Page | undefined => {
        const page = inner.next(want) as Page | undefined
        return page === undefined ? undefined : change(page)
      }
      return { next, close: () => undefined }
    },
  }))
  expect((await refusalOf(() => things.readAll({ parallel: 3 }).count())).code).toBe('ADAPTER_FAULT')
})

test('SCAN-12: a part that fails ends the full scan with its error, and closes all parts, without an unhandled rejection', async () => {
  for (const fails of ['now', 'late'] as const) {
    const traffic = new Traffic()
    let calls = 0
    const { things } = await open((store) => ({
      fullScan(checkpoint, options) {
        const inner = traffic.source(store.fullScan(checkpoint, options), turns)
        return {
          ...inner,
          next(want) {
            if (++calls !== 6) return inner.next(want)
            if (fails === 'now') throw new Error('disk')
            return turns().then(() => Promise.reject(new Error('disk')))
          },
        }
      },
    }))
    await expect(things.readAll({ parallel: 4 }).count()).rejects.toThrow('disk')
    expect(traffic.closed).toBe(4)
    for (let i = 0; i < 20; i++) await setImmediate() // others may still fail
  }
})

test('SCAN-12 SCAN-4: left or aborted, it closes all parts and waits for none', async () => {
  const traffic = new Traffic()
  let stuck = false
  const { things } = await open(slow(traffic, () => (stuck ? new Promise(() => undefined) : turns())))
  for await (const { rows } of things.readAll({ parallel: 3 }).pages()) {
    expect(rows.length).toBeGreaterThan(0)
    stuck = true
    break
  }
  expect(traffic.closed).toBe(3)
  const controller = new AbortController()
  const counting = things.readAll({ parallel: 3, signal: controller.signal }).count()
  await setImmediate()
  controller.abort('enough')
  await expect(counting).rejects.toBe('enough')
  expect(traffic.closed).toBe(6)
})

test('SCAN-12 CANCEL-3: a deadline ends it with a checkpoint of all parts, also while the table is being split', async () => {
  const traffic = new Traffic()
  let left = Infinity
  const { things } = await open(slow(traffic, () => (left-- > 0 ? turns() : new Promise(() => undefined))))
  left = 5
  const seen: { readonly n: number }[] = []
  const error = await refusalOf(async () => {
    for await (const page of things.readAll({ parallel: 4, deadline: Date.now() + 300 }).pages()) seen.push(...page.rows)
  })
  expect(error.code).toBe('DEADLINE')
  expect(seen.length).toBeGreaterThan(0)
  left = Infinity
  const { cursor } = error.details as { readonly cursor: string }
  const rest = []
  for await (const row of things.readAll({ checkpoint: cursor })) rest.push(row)
  expect(sorted([...seen, ...rest])).toEqual(everything)

  const stuck = await open(() => ({ splits: () => new Promise(() => undefined) }))
  const late = await refusalOf(() => stuck.things.readAll({ parallel: 4, deadline: Date.now() + 50 }).count())
  expect(late.code).toBe('DEADLINE')
  expect(await stuck.things.readAll({ checkpoint: (late.details as { readonly cursor: string }).cursor }).count()).toBe(count)
  expect((await refusalOf(() => stuck.things.parts(4, { deadline: Date.now() + 50 }))).code).toBe('DEADLINE')
})

test('SCAN-12: checkpoints of 16 parts with the longest keys are not too long to be read', async () => {
  const Long = defineTable('long', { columns: { k: bytes() }, key: ['k'], writes: 'plain' })
  const db = createMapper(memory(), { cursorSecret: 'a secret of sixteen' })
  await db.ensureTables([Long])
  const long = db.repository(Long)
  await long.putMany(Array.from({ length: 64 }, (_, i) => ({ k: Uint8Array.from({ length: 990 }, (__, at) => (at === 0 ? i : 0xff)) })))
  let pages = 0
  for await (const { checkpoint } of long.readAll({ parallel: 16 }).pages()) {
    expect(checkpoint.length).toBeLessThan(65_536)
    await long.readAll({ checkpoint }).count()
    pages++
  }
  expect(pages).toBe(16)
})

test('SCAN-8: a damaged checkpoint of several parts is refused', async () => {
  const { things } = await open(undefined, 100)
  const page = await things.readAll({ parallel: 3 }).pages().next()
  const damaged = Buffer.from(page.value?.checkpoint ?? '', 'base64url')
  expect(damaged[0]).toBe(3)
  const codes = new Map<string, number>()
  for (let at = 0; at < damaged.length; at++) {
    for (const change of [1, 0x80, 0xff]) {
      const copy = Buffer.from(damaged)
      copy[at] = (copy[at] as number) ^ change
      const checkpoint = copy.toString('base64url')
      const code = await things.readAll({ checkpoint }).count().then(() => 'read', (error: unknown) => (isRowkeyError(error) ? error.code : 'other')) // prettier-ignore
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    const cut = await refusalOf(() => things.readAll({ checkpoint: damaged.subarray(0, at).toString('base64url') }).count()).catch(
      () => undefined,
    )
    if (cut !== undefined) expect(cut.code).toMatch(/^CURSOR_/)
  }
  // A changed key is another place of the table.
  expect([...codes.keys()].sort()).toEqual(['CURSOR_INVALID', 'CURSOR_MISMATCH', 'read'])
})
