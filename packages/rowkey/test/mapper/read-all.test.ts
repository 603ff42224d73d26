import type { Adapter, Page } from '#store/adapter'
import { bucket, int32, nullable, text } from '#codec'
import { createMapper, type ReadAllPage } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { Watch } from '../../../../test/kit/watched.js'
import { pagesOf, wrapped } from '../../../../test/kit/wrapped.js'

const definition = {
  columns: { tenant: text(), n: int32(), note: nullable(text()) },
  partition: ['tenant'],
  key: ['n'],
} as const
const Things = defineTable('things', { ...definition, salt: bucket({ of: 'n', count: 4 }) })
const count = 3000

async function open() {
  const store = memory()
  const db = createMapper(store)
  await db.ensureTables([Things])
  const things = db.repository(Things)
  await things.putMany(Array.from({ length: count }, (_, n) => ({ tenant: `t${n % 7}`, n, note: `note ${n}` })))
  return { store, db, things }
}

const sorted = (rows: Iterable<{ readonly n: number }>): number[] => Array.from(rows, ({ n }) => n).sort((a, b) => a - b)
const everything = Array.from({ length: count }, (_, n) => n)

test('SCAN-8: a full scan gives every row of every partition once, as objects, pages and count', async () => {
  const { things } = await open()
  const rows = []
  for await (const row of things.readAll()) rows.push(row)
  expect(sorted(rows)).toEqual(everything)
  expect(rows[0]).toEqual({ tenant: rows[0]?.tenant, n: rows[0]?.n, note: `note ${rows[0]?.n}` })
  expect(await things.readAll().count()).toBe(count)
  expect(await things.readAll({ filter: ({ n }) => n < 10 }).count()).toBe(10)
  const notes = []
  for await (const row of things.readAll({ select: ['note'] })) notes.push(row)
  expect(Object.keys(notes[0] ?? {})).toEqual(['note'])
})

test('a full scan keeps to the options it was made with, whatever becomes of their object', async () => {
  const { things } = await open()
  const options: { select: ('note' | 'n')[]; filter?: (row: { readonly n: number }) => boolean } = { select: ['n'] }
  const scan = things.readAll(options)
  options.select = ['note']
  options.filter = () => false
  const rows = []
  for await (const row of scan) rows.push(row)
  expect(rows).toHaveLength(count)
  expect(Object.keys(rows[0] ?? {})).toEqual(['n'])
})

test('SCAN-8: it resumes behind any checkpoint, with another mapper on the same store', async () => {
  const { store, things } = await open()
  const pages: ReadAllPage<{ readonly n: number }>[] = []
  for await (const page of things.readAll().pages()) pages.push(page)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.at(-1)?.stats).toMatchObject({ streams: 1, examined: count, returned: count, calls: pages.length })
  for (const [at, { checkpoint }] of pages.entries()) {
    const rest = []
    for await (const row of createMapper(store).repository(Things).readAll({ checkpoint })) rest.push(row)
    expect(sorted([...pages.slice(0, at + 1).flatMap(({ rows }) => rows), ...rest])).toEqual(everything)
  }
})

test('SCAN-8: a checkpoint of another layout, store or secret, a cut and a made up one are refused', async () => {
  const { store, things, db } = await open()
  const first = await things.readAll().pages().next()
  const checkpoint = first.value?.checkpoint ?? ''
  const Other = defineTable('things', { ...definition, salt: bucket({ of: 'n', count: 8 }) })
  const other = createMapper(memory())
  await other.ensureTables([Other])
  const refused = (use: () => Promise<unknown>) => refusalOf(use).then(({ code, details }) => [code, details['differs']])
  expect(await refused(() => other.repository(Other).readAll({ checkpoint }).count())).toEqual(['CURSOR_MISMATCH', 'layout'])
  const foreign = createMapper(wrapped(store, {})).repository(Things)
  expect(await refused(() => foreign.readAll({ checkpoint }).count())).toEqual(['CURSOR_MISMATCH', 'store'])
  for (const bad of ['', 'AQ', checkpoint.slice(0, 11), `${checkpoint}*`, `B${checkpoint.slice(1)}`]) {
    expect((await refused(() => things.readAll({ checkpoint: bad }).count()))[0], bad).toBe('CURSOR_INVALID')
  }
  const sealed = createMapper(store, { cursorSecret: 'a secret of sixteen' }).repository(Things)
  expect((await refused(() => sealed.readAll({ checkpoint }).count()))[0]).toBe('CURSOR_INVALID')
  const own = (await sealed.readAll().pages().next()).value?.checkpoint
  expect(await sealed.readAll({ checkpoint: own }).count()).toBe(count - 1024)
  const { cursor } = await things.scan({ tenant: 't1' }).page({ size: 1 })
  expect((await refused(() => things.readAll({ checkpoint: cursor }).count()))[0]).toMatch(/^CURSOR_/)
  expect((await refused(() => things.readAll({ nonsense: 1 } as object).count()))[0]).toBe('INVALID_OPTION')
  await db.close()
})

test('SCAN-8: a page without a checkpoint is the fault of the adapter', async () => {
  const store = memory()
  const inner = wrapped(store, {})
  await createMapper(store).ensureTables([Things])
  const page: Page = { rows: [['t', 1, null]], examined: 1 }
  const broken = createMapper({
    ...inner,
    table: (schema, catalog) => ({ ...inner.table(schema, catalog), fullScan: () => pagesOf(page) }),
  })
  expect((await refusalOf(() => broken.repository(Things).readAll().count())).code).toBe('ADAPTER_FAULT')
})

test('SCAN-4: left, aborted, late or failing, a full scan closes its source and waits for nobody', async () => {
  const { store } = await open()
  const inner = wrapped(store, {})
  const watch = new Watch()
  let fails = false
  const slow = createMapper({
    ...inner,
    table: (schema, catalog) => ({
      ...inner.table(schema, catalog),
      fullScan: () =>
        watch.source(
          pagesOf({ rows: [['t', 1, null]], examined: 1, checkpoint: 'one' }, async () => {
            if (fails) throw new Error('disk')
            for (;;) await setImmediate()
          }),
        ),
    }),
  }).repository(Things)
  const never = (): void => {
    throw new Error('it waits')
  }
  for await (const row of slow.readAll()) {
    expect(row.n).toBe(1)
    break
  }
  expect(watch.left).toBe(0)
  const stop = new AbortController()
  const counting = slow.readAll({ signal: stop.signal }).count()
  await setImmediate()
  stop.abort(new Error('stopped'))
  await expect(counting.then(never)).rejects.toThrow('stopped')
  const { code, details } = await refusalOf(() => slow.readAll({ deadline: Date.now() + 20 }).count())
  expect([code, typeof details['cursor']]).toEqual(['DEADLINE', 'string'])
  fails = true
  await expect(slow.readAll().count()).rejects.toThrow('disk')
  expect(watch.left).toBe(0)
  expect(watch.violations).toEqual([])
})

test('SCAN-4: a full scan that is left while a page is on its way, or while its table is opened, asks for nothing more', async () => {
  const { store } = await open()
  const watch = new Watch()
  const pages: (() => void)[] = []
  const opened: (() => void)[] = []
  const waiting = (gates: (() => void)[]): Promise<void> => new Promise((resolve) => gates.push(resolve))
  const inner = wrapped(store, {})
  const adapter: Adapter = {
    ...inner,
    table: (schema, catalog) => {
      const table = inner.table(schema, catalog)
      return {
        ...table,
        fullScan: (checkpoint, options) => {
          const source = table.fullScan(checkpoint, options)
          const next = (want: number) => waiting(pages).then(() => source.next(want))
          return watch.source({ next, close: () => { source.close() } }) // prettier-ignore
        },
      }
    },
  }
  const slow = { ...adapter, describeTable: (name: string) => waiting(opened).then(() => adapter.describeTable(name)) }
  const pass = async (gates: (() => void)[]): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    gates.splice(0).forEach((open) => {
      open()
    })
    for (let turn = 0; turn < 5; turn++) await setImmediate()
  }
  const filter = (): boolean => false // so a page leaves the call without a row, and it would go on

  const duringPage = createMapper(adapter).repository(Things).readAll({ filter })[Symbol.asyncIterator]()
  const first = duringPage.next()
  await setImmediate()
  await duringPage.return?.()
  await pass(pages)
  expect(await first).toEqual({ done: true, value: undefined })

  const duringOpening = createMapper(slow).repository(Things).readAll({ filter })[Symbol.asyncIterator]()
  const second = duringOpening.next()
  await setImmediate()
  await duringOpening.return?.()
  await pass(opened)
  await pass(pages)
  expect(await second).toEqual({ done: true, value: undefined })
  expect([watch.violations, watch.left]).toEqual([[], 0])
})

test('SCAN-8: a checkpoint that does not move is the fault of the adapter, not an endless scan', async () => {
  const store = memory()
  const inner = wrapped(store, {})
  await createMapper(store).ensureTables([Things])
  const page = (n: number): Page => ({ rows: [['t', n, null]], examined: 1, checkpoint: 'here' })
  const stuck = createMapper({
    ...inner,
    table: (schema, catalog) => ({ ...inner.table(schema, catalog), fullScan: () => pagesOf(page(1), page(1), page(1)) }),
  })
  const { code, message } = await refusalOf(() => stuck.repository(Things).readAll().count())
  expect([code, message]).toEqual(['ADAPTER_FAULT', expect.stringContaining('with the checkpoint of the page before')])
})

test('SCAN-4: adapters are told how much time is left, whatever clock the mapper has', async () => {
  const store = memory()
  await createMapper(store).ensureTables([Things])
  const inner = wrapped(store, {})
  const left: (number | undefined)[] = []
  const watched = createMapper(
    {
      ...inner,
      table: (schema, catalog) => {
        const table = inner.table(schema, catalog)
        return {
          ...table,
          scan: (slice, options) => (left.push(options.cancellation?.remaining), table.scan(slice, options)),
          fullScan: (checkpoint, options) => (left.push(options.cancellation?.remaining), table.fullScan(checkpoint, options)),
        }
      },
    },
    { clock: () => 1_000_000 },
  ).repository(Things)
  expect((await watched.scan({ tenant: 't' }, { deadline: 1_060_000 }).page()).stop).toBe('exhausted')
  expect(await watched.readAll({ deadline: 1_060_000 }).count()).toBe(0)
  expect(left.length).toBe(5)
  for (const ms of left) {
    expect(ms).toBeGreaterThan(0)
    expect(ms).toBeLessThanOrEqual(60_000)
  }
})

test.each([
  ['a', 12_000, true],
  ['\uffff', 12_000, true], // the most bytes that so many characters take
  ['a', 12_001, false],
])('SCAN-8 ADAPTER-5: a checkpoint of %j, %d times, can be read again or is the fault of the adapter', async (letter, length, fits) => {
  const store = memory()
  const inner = wrapped(store, {})
  const given: unknown[] = []
  const long: Page = { rows: [['t', 1, null]], examined: 1, checkpoint: letter.repeat(length) }
  const things = createMapper(
    {
      ...inner,
      table: (schema, catalog) => ({
        ...inner.table(schema, catalog),
        fullScan: (from) => (given.push(from), pagesOf(...(from === undefined ? [long] : []))),
      }),
    },
    { cursorSecret: 'x'.repeat(32) },
  ).repository(Things)
  await createMapper(store).ensureTables([Things])
  const first = things.readAll().pages().next()
  if (!fits) {
    expect((await refusalOf(() => first)).message).toContain('with a checkpoint of more than 12000 characters')
    return
  }
  const { checkpoint } = (await first).value ?? {}
  await things.readAll({ checkpoint }).count()
  expect(given).toEqual([undefined, long.checkpoint])
})

test('SCAN-4: an abort ends an iteration at once, also where rows are here already', async () => {
  const { things } = await open()
  for (const scan of [things.readAll.bind(things), (limits: { signal: AbortSignal }) => things.scan({ tenant: 't1' }, limits)]) {
    const stop = new AbortController()
    const reason = new Error('stopped')
    let given = 0
    const reading = async (): Promise<void> => {
      for await (const _ of scan({ signal: stop.signal })) if (++given === 2) stop.abort(reason)
    }
    await expect(reading()).rejects.toBe(reason)
    expect(given).toBe(2)
  }
})
