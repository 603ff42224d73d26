import type { Adapter, Page, TableStore } from '#store/adapter'
import { bucket, bytes, desc, float64, int32, int64, json, nullable, random, text, timestamp, ulid } from '#codec'
import { faulty } from '#conformance'
import { copyTable, createMapper, type Options, type Mapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, type StandardSchema, type TableSchema } from '#model'
import { isShort, shortened } from '@rowkey/servers/scale'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { delegate, delegateTable } from '../../src/conformance/delegate.js'
import { CopiedKeys } from '../../src/mapper/copy/copied-keys.js'
import { pauseAfter } from '../../src/mapper/copy/pace.js'
import { seed, seeded } from '../../../../test/kit/seeded.js'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'

const Old = defineTable('old_orders', {
  columns: { shop: text(), no: int32(), at: timestamp('ms'), note: nullable(text()), cents: nullable(int32()), raw: nullable(bytes()) },
  key: ['shop', 'no'],
})
const New = defineTable('new_orders', {
  columns: {
    shop: text(),
    no: int64({ as: 'number' }),
    at: desc(timestamp('ms')),
    note: nullable(text()),
    cents: nullable(int64({ as: 'number' })),
    raw: nullable(bytes()),
  },
  key: ['at', 'no', 'shop'],
  salt: bucket({ of: ['shop', 'no'], count: 8 }),
})
const count = 5000
const orders = Array.from({ length: count }, (_, n) => ({
  shop: `shop ${n % 7}`,
  no: n,
  at: new Date(n * 1000),
  note: n % 3 === 0 ? null : `note ${n} \u{1f600}`,
  cents: n % 5 === 0 ? null : n,
  raw: n % 11 === 0 ? new Uint8Array([n % 256, 0, 255]) : null,
}))

async function open<S extends TableSchema>(schema: S, adapter: Adapter = memory(), options: Parameters<typeof createMapper>[1] = {}) {
  const db = createMapper(adapter, options)
  await db.ensureTables([schema])
  return { db, adapter, table: db.repository(schema) }
}

async function filled(adapter: Adapter = memory(), options: Parameters<typeof createMapper>[1] = {}) {
  const opened = await open(Old, adapter, options)
  await opened.table.putMany(orders)
  return opened
}

async function rowsOf<R>(table: { readAll(): AsyncIterable<R> }): Promise<R[]> {
  const rows: R[] = []
  for await (const row of table.readAll()) rows.push(row)
  return rows
}

const byNumber = <R extends { readonly no: number }>(rows: readonly R[]): readonly R[] => rows.toSorted((a, b) => a.no - b.no)

/** A signal, and what aborts it at the nth call. */
function stopAfter(calls: number, reason: Error): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController()
  let left = calls
  return { signal: controller.signal, abort: () => (--left === 0 ? controller.abort(reason) : undefined) }
}

/** A memory adapter with other reads. */
const withReads = (base: Adapter, replace: (store: TableStore) => Partial<TableStore>): Adapter =>
  delegate(base, {
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      return delegateTable(store, replace(store))
    },
  })

/** Changes the nth page of full scans, counted from 0 over all of them. */
function withPage(base: Adapter, nth: number, change: (page: Page) => Page | undefined): Adapter {
  let pages = 0
  return withReads(base, (store) => ({
    fullScan(checkpoint, options) {
      const inner = store.fullScan(checkpoint, options)
      return {
        next(want): Page | undefined {
          const page = inner.next(want) as Page | undefined
          return page !== undefined && pages++ === nth ? change(page) : page
        },
        close: () => {
          inner.close()
        },
      }
    },
  }))
}

test('COPY-1: every row arrives once, in a table with another key, salt and other types, and both digests are equal', async () => {
  const [from, to] = [await filled(), await open(New)]
  for (const parallel of [1, 4]) {
    const result = await copyTable(from.table, to.table, { parallel, overwrite: parallel > 1 })
    expect(result).toEqual({ rows: count, verified: { rows: count, digest: expect.stringMatching(/^[0-9a-f]{32}$/) } })
    expect(byNumber(await rowsOf(to.table))).toEqual(orders)
  }
})

test('COPY-1: an empty table is copied too', async () => {
  const [from, to] = [await open(Old), await open(New)]
  expect(await copyTable(from.table, to.table)).toEqual({ rows: 0, verified: { rows: 0, digest: '0'.repeat(32) } })
})

test('COPY-4: the digest is the same on every layout, and changes with every value', async () => {
  const [from, one, two] = [await filled(), await open(New), await open(Old)]
  const [a, b] = [await copyTable(from.table, one.table), await copyTable(from.table, two.table)]
  expect(a.verified).toEqual(b.verified)
  const digests = new Set([a.verified?.digest])
  const changes: Partial<(typeof orders)[number]>[] = [
    { note: 'other' },
    { note: '' },
    { cents: 1 },
    { cents: null },
    { at: new Date(1) },
    { raw: new Uint8Array() },
  ]
  for (const change of changes) {
    const changed = await filled()
    await changed.table.put({ ...(orders[77] as (typeof orders)[number]), ...change })
    const { verified } = await copyTable(changed.table, (await open(Old)).table)
    expect(verified?.rows).toBe(count)
    digests.add(verified?.digest)
  }
  expect(digests.size).toBe(changes.length + 1)
})

test('COPY-4: values that look alike have different digests', async () => {
  const Odd = defineTable('odd_values', {
    columns: { k: int32(), a: nullable(text()), b: nullable(text()), f: nullable(float64()), j: nullable(json()) },
    key: ['k'],
  })
  const rows = [
    {},
    { a: '' },
    { b: '' },
    { a: '1:b' },
    { a: 'x', b: 'y' },
    { a: 'xy' },
    { b: 'xy' },
    { f: 0 },
    { f: -0 },
    { f: NaN },
    { f: Infinity },
    { f: 1 },
    { j: [1] },
    { j: '1' },
    { a: '\ud7ff' },
    { a: '\uff5e' },
  ]
  const digests = new Set<string | undefined>()
  for (const row of rows) {
    const [from, to] = [await open(Odd), await open(Odd)]
    await from.table.put({ k: 1, ...row })
    digests.add((await copyTable(from.table, to.table)).verified?.digest)
  }
  expect(digests.size).toBe(rows.length)
})

test('COPY-2: map changes rows and leaves rows out, and sees rows as reads return them', async () => {
  const Changed = defineTable('changed_orders', {
    columns: { id: text(), price: nullable(text()), comment: text({ default: '' }) },
    key: ['id'],
  })
  const [from, to] = [await filled(), await open(Changed)]
  const seen: unknown[] = []
  const { rows, verified } = await copyTable(from.table, to.table, {
    map(order) {
      if (seen.length < 1) seen.push(order)
      if (order.no % 2 === 1) return undefined
      return { id: `${order.shop}/${order.no}`, price: order.cents === null ? null : `${order.cents / 100}` }
    },
  })
  expect(seen).toEqual([orders[0]])
  expect([rows, verified?.rows]).toEqual([count / 2, count / 2])
  expect(await to.table.get({ id: 'shop 2/2' })).toEqual({ id: 'shop 2/2', price: '0.02', comment: '' })
  expect(await to.table.exists({ id: 'shop 1/1' })).toBe(false)
})

/** A check that all rows but the first fail. */
const negative: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => (Number(value) < 1 ? { value } : { issues: [{ message: 'is not negative' }] }),
  },
}

describe('COPY-2: what cannot be copied names its row', () => {
  test.each<[string, TableSchema, ((row: never) => unknown) | undefined, string, RegExp]>([
    [
      'a column that the target does not have',
      defineTable('fewer', { columns: { shop: text(), no: int32() }, key: ['shop', 'no'] }),
      undefined,
      'UNKNOWN_COLUMN',
      /shop "shop 0", no 0\) cannot be copied to 'fewer': 'fewer' has no column 'at'/,
    ],
    [
      'a value that the target cannot hold',
      New,
      () => ({ shop: 'a', no: 0.5, at: new Date(0) }),
      'INVALID_VALUE',
      /cannot be copied to 'new_orders'/,
    ],
    ['no row', New, () => null, 'INVALID_VALUE', /null/],
    ['a promise', New, async () => ({}), 'INVALID_OPTION', /map returned a promise/],
    [
      'a generated key',
      defineTable('ulids', { columns: { id: ulid({ default: 'ulid' }), note: nullable(text()) }, key: ['id'] }),
      () => ({ note: 'x' }),
      'INVALID_VALUE',
      /column 'id' of 'ulids' has a default that is different each time/,
    ],
    [
      'a random value',
      defineTable('randoms', { columns: { no: int32(), luck: int32({ default: random(6) }) }, key: ['no'] }),
      () => ({ no: 1 }),
      'INVALID_VALUE',
      /'luck'/,
    ],
    [
      'a failed check',
      defineTable('checked', { columns: { no: int32() }, key: ['no'], checks: { no: negative } }),
      ({ no }: { no: number }) => ({ no }),
      'VALIDATION_FAILED',
      /cannot be copied to 'checked'/,
    ],
  ])('%s', async (_, schema, map, code, message) => {
    const [from, to] = [await filled(), await open(schema)]
    const error = await refusalOf(() => copyTable(from.table, to.table as never, { map } as never))
    expect([error.code, message.test(error.message) ? '' : error.message]).toEqual([code, ''])
    expect(await rowsOf(to.table)).toEqual([])
  })
})

test('COPY-3: a copy expires when its row does, and has a new version', async () => {
  const now = { value: 2e12 }
  const clock = () => now.value
  const Sessions = defineTable('sessions', { columns: { k: int32() }, key: ['k'], ttl: '30d', version: 'rev' })
  const Other = defineTable('other_sessions', {
    columns: { k: int32() },
    key: ['k'],
    salt: bucket({ of: 'k', count: 4 }),
    ttl: '1h',
    version: 'v',
  })
  const [from, to] = [await open(Sessions, memory(), { clock }), await open(Other, memory(), { clock })]
  const expiries = [now.value + 5000, now.value + 60_000, now.value + 1e9, null]
  for (const [k, at] of expiries.entries()) await from.table.put({ k }, { expires: at === null ? null : new Date(at) })
  await from.table.put({ k: 99 }, { expires: new Date(now.value - 1) })
  expect((await copyTable(from.table, to.table)).rows).toBe(4)
  const [before, after] = [await from.table.getOrThrow({ k: 1 }), await to.table.getOrThrow({ k: 1 })]
  expect(after.v).toMatch(/^[0-9A-Z]{26}$/)
  expect(after.v).not.toBe(before.rev)
  for (const [k, at] of expiries.entries()) {
    if (at === null) continue
    now.value = at - 1
    expect(await to.table.exists({ k })).toBe(true)
    now.value = at
    expect(await to.table.exists({ k })).toBe(false)
  }
  now.value = 8e15
  expect((await rowsOf(to.table)).map(({ k }) => k)).toEqual([3])
})

test('COPY-3: map may say when a copy expires', async () => {
  const Kept = defineTable('kept', { columns: { k: int32() }, key: ['k'], ttl: 'never' })
  const db = createMapper(memory())
  const Copies = defineTable('copies', { columns: { k: int32() }, key: ['k'], ttl: '30d' })
  await db.ensureTables([Kept, Copies])
  const [kept, copies] = [db.repository(Kept), db.repository(Copies)]
  const [soon, later] = [new Date('2090-01-01'), new Date('2095-01-01')]
  await kept.putMany([0, 1, 2].map((k) => ({ k, $expires: k === 0 ? null : soon })))
  await copyTable(kept, copies, { map: (row) => ({ ...row, ...(row.k === 2 ? {} : { $expires: row.k === 0 ? later : null }) }) })
  const read = await copies.readAll({ withExpiry: true }).toArray()
  expect(read.map(({ k, $expires }) => [k, $expires]).sort()).toEqual([[0, later], [1, null], [2, soon]]) // prettier-ignore
})

test('COPY-3: rows that expire cannot be copied into a table whose rows do not; the other way round they never expire', async () => {
  const now = { value: 2e12 }
  const clock = () => now.value
  const Forever = defineTable('forever', { columns: { k: int32() }, key: ['k'] })
  const Sessions = defineTable('sessions', { columns: { k: int32() }, key: ['k'], ttl: '1h' })
  const [sessions, forever] = [await open(Sessions, memory(), { clock }), await open(Forever, memory(), { clock })]
  expect(await codeOf(() => copyTable(sessions.table, forever.table))).toBe('TTL_UNDECLARED')
  await forever.table.put({ k: 1 })
  expect((await copyTable(forever.table, sessions.table)).verified?.rows).toBe(1)
  now.value += 1e12
  expect(await sessions.table.exists({ k: 1 })).toBe(true)
})

test('COPY-4: rows that expire between copy and verification, on one side or both, are no mismatch', async () => {
  const now = { value: 2e12 }
  const clock = () => now.value
  const Sessions = defineTable('sessions', { columns: { k: int32() }, key: ['k'], ttl: '30d' })
  const source = memory()
  const [from, to] = [await open(Sessions, source, { clock }), await open(Sessions, memory(), { clock })]
  for (let k = 0; k < 3000; k++) await from.table.put({ k }, { expires: new Date(now.value + 1000 + 40 * k) })
  let read = 0
  // Time passes with every page, and rows disappear.
  const passing = withReads(source, (store) => ({
    fullScan(checkpoint, options) {
      const inner = store.fullScan(checkpoint, options)
      return {
        next(want) {
          now.value += 3000
          if (++read % 2 === 0) void store.purgeExpired?.(now.value, 1000)
          return inner.next(Math.min(want, 300))
        },
        close: () => undefined,
      }
    },
  }))
  const { rows, verified } = await copyTable((await open(Sessions, passing, { clock })).table, to.table)
  expect(rows).toBeGreaterThan(1500)
  expect(verified?.rows).toBeGreaterThan(0)
  expect(verified?.rows).toBeLessThan(rows)
})

test('COPY-5: it continues after the checkpoint of any page, on other mappers, and counts the rows of all calls', async () => {
  const secret = { cursorSecret: 'a secret of sixteen' }
  const source = memory()
  const from = await filled(source, secret)
  for (const parallel of [1, 3]) {
    const target = memory()
    const checkpoints: Options.CopyProgress[] = []
    const to = await open(New, target)
    await copyTable(from.table, to.table, { parallel, onProgress: (progress) => checkpoints.push(progress) })
    expect(checkpoints.map(({ rows }) => rows)).toEqual(checkpoints.map(({ rows }) => rows).toSorted((a, b) => a - b))
    expect(checkpoints.at(-1)?.rows).toBe(count)
    for (const { checkpoint, rows } of checkpoints.filter((_, page) => !isShort || page % 4 === 0)) {
      const again = await open(New, target)
      const calls: number[] = []
      const result = await copyTable((await open(Old, source, secret)).table, again.table, {
        checkpoint,
        parallel,
        onProgress: (progress) => calls.push(progress.rows),
      })
      expect([result.rows, result.verified?.rows, calls[0] ?? count]).toEqual([count, count, Math.min(count, calls[0] ?? count)])
      expect(calls.every((copied) => copied > rows)).toBe(true)
    }
  }
})

test('COPY-5: after a failed page it continues with the last checkpoint, and nothing is missing', async () => {
  const from = await filled()
  const target = memory()
  await createMapper(target).ensureTables([New])
  let saved: string | undefined
  const onProgress = ({ checkpoint }: Options.CopyProgress): void => void (saved = checkpoint)
  for (let failures = 0; ; failures++) {
    // Each attempt fails at its second page of writes.
    const { adapter } = faulty(target, failures < 3 ? [{ at: 'write', nth: 5, does: 'fail' }] : [])
    const to = createMapper(adapter).repository(New)
    const copying = copyTable(from.table, to, { checkpoint: saved, onProgress })
    if (failures < 3) {
      expect(await codeOf(() => copying)).toBe('WRITE_INCOMPLETE')
      continue
    }
    expect(await copying).toMatchObject({ rows: count, verified: { rows: count } })
    break
  }
  expect(byNumber(await rowsOf(createMapper(target).repository(New)))).toEqual(orders)
})

test('COPY-5: a checkpoint of other tables, or a damaged one, is refused', async () => {
  const [from, to, other] = [
    await filled(),
    await open(New),
    await open(defineTable('other', { columns: New.columns && { k: int32() }, key: ['k'] })),
  ]
  let checkpoint = ''
  await copyTable(from.table, to.table, { onProgress: (progress) => void (checkpoint ||= progress.checkpoint) })
  expect((await refusalOf(() => copyTable(from.table, other.table as never, { checkpoint }))).details).toEqual({
    differs: 'table',
  })
  const Salted = defineTable('new_orders', { columns: { k: int32() }, key: ['k'] })
  const salted = await open(Salted)
  expect((await refusalOf(() => copyTable(from.table, salted.table as never, { checkpoint }))).details).toEqual({
    differs: 'layout',
  })
  expect(await codeOf(() => copyTable(to.table, from.table, { checkpoint }))).toBe('CURSOR_MISMATCH')
  for (const bad of [
    '',
    'x',
    checkpoint.slice(0, 40),
    checkpoint.replace(/^1/, '2'),
    `${checkpoint}x*`,
    checkpoint.split('.').slice(4).join('.'),
  ]) {
    expect(await codeOf(() => copyTable(from.table, to.table, { checkpoint: bad })), bad).toBe('CURSOR_INVALID')
  }
})

test('COPY-6: a target with rows is refused, unless they may be replaced, and expired rows do not count', async () => {
  const now = { value: 2e12 }
  const Sessions = defineTable('sessions', { columns: { k: int32(), v: nullable(text()) }, key: ['k'], ttl: '1h' })
  const [from, to] = [
    await open(Sessions, memory(), { clock: () => now.value }),
    await open(Sessions, memory(), { clock: () => now.value }),
  ]
  await from.table.putMany([{ k: 1, v: 'new' }, { k: 2 }])
  await to.table.put({ k: 1, v: 'old' })
  const error = await refusalOf(() => copyTable(from.table, to.table))
  expect([error.code, error.details]).toEqual(['TABLE_NOT_EMPTY', { table: 'sessions' }])
  expect(await to.table.get({ k: 1 })).toEqual({ k: 1, v: 'old' })
  expect((await copyTable(from.table, to.table, { overwrite: true })).verified?.rows).toBe(2)
  await to.table.put({ k: 3 })
  const mismatch = await refusalOf(() => copyTable(from.table, to.table, { overwrite: true }))
  expect([mismatch.code, mismatch.details]).toMatchObject(['COPY_MISMATCH', { from: 'sessions', source: { rows: 2 }, target: { rows: 3 } }])
  expect(await copyTable(from.table, to.table, { overwrite: true, verify: false })).toEqual({ rows: 2 })
  now.value += 7_200_000
  await from.table.put({ k: 4 })
  expect((await copyTable(from.table, to.table)).rows).toBe(1)
})

test('COPY-6: a store that refuses to tell which table it is refuses no copy', async () => {
  const asked: string[] = []
  const withoutIds = (): Adapter => {
    const adapter = memory()
    return Object.assign(Object.create(adapter) as Adapter, {
      tableId: async ({ name }: TableSchema) => {
        asked.push(name)
        throw new Error('not allowed')
      },
    })
  }
  const [from, to] = [createMapper(withoutIds()), createMapper(withoutIds())]
  for (const db of [from, to]) await db.ensureTables([Old])
  await from.repository(Old).putMany(orders.slice(0, 10))
  expect((await copyTable(from.repository(Old), to.repository(Old))).rows).toBe(10)
  expect(asked).toEqual([Old.name, Old.name])
  await to.ensureTables([New])
  expect((await copyTable(from.repository(Old), to.repository(New))).rows).toBe(10)
  expect(asked).toHaveLength(2) // tables of different names are never one
})

test('COPY-6: options and repositories are checked before anything is read', async () => {
  const [from, to] = [await filled(), await open(New)]
  const wrong: object[] = [
    { parallel: 0 },
    { parallel: 17 },
    { rowsPerSecond: 0 },
    { rowsPerSecond: 1.5 },
    { verify: 1 },
    { overwrite: 'yes' },
    { map: 1 },
    { nonsense: 1 },
    { onProgress: {} },
    { deadline: 'x' },
  ]
  for (const checkpoint of [1, null, ['x'], {}])
    expect(await codeOf(() => copyTable(from.table, to.table, { checkpoint } as never))).toBe('CURSOR_INVALID')
  for (const options of wrong)
    expect(await codeOf(() => copyTable(from.table, to.table, options)), JSON.stringify(options)).toBe('INVALID_OPTION')
  for (const [a, b] of [
    [from.table, {}],
    [undefined, to.table],
    [from.db, to.table],
    [from.table, from.table],
    [from.table, from.db.repository(Old)],
  ] as never[][]) {
    expect(await codeOf(() => copyTable(a as never, b as never))).toBe('INVALID_OPTION')
  }
  const missing = createMapper(memory()).repository(New)
  expect(await codeOf(() => copyTable(from.table, missing))).toBe('TABLE_NOT_FOUND')
})

describe('COPY-4: faults are found by the verification', () => {
  const lost = (page: Page): Page => ({ ...page, rows: page.rows.slice(1) })
  const twice = (page: Page): Page => ({ ...page, rows: [...page.rows, ...page.rows.slice(0, 1)] })
  // Of 5 pages of the copy, or of the 5 of the verification.
  test.each([
    ['the copy loses a row of the source', 2, lost, 'source'],
    ['the verification loses a row of the source', 7, lost, 'source'],
    ['the verification reads a row of the source twice', 7, twice, 'source'],
    ['the verification loses a row of the target', 3, lost, 'target'],
    ['the verification reads a row of the target twice', 3, twice, 'target'],
    ['the copy loses a page of the source', 2, (page: Page): Page => ({ ...page, rows: [] }), 'source'],
    [
      'a row of the target has another value',
      3,
      (page: Page): Page => ({ ...page, rows: page.rows.map((row, i) => (i === 5 ? row.with(3, 4711n) : row)) }),
      'target',
    ],
  ] as const)('%s', async (_, nth, change, side) => {
    const source = memory()
    await filled(source)
    const target = memory()
    const [a, b] = side === 'source' ? [withPage(source, nth, change), target] : [source, withPage(target, nth, change)]
    const error = await refusalOf(async () => copyTable((await open(Old, a)).table, (await open(New, b)).table))
    expect(error.code).toBe('COPY_MISMATCH')
  })

  test('the target acknowledges writes and does not keep them', async () => {
    const from = await filled()
    const { adapter } = faulty(memory(), [{ at: 'write', nth: 6, does: 'forget' }])
    const error = await refusalOf(async () => copyTable(from.table, (await open(New, adapter)).table))
    expect([error.code, error.details]).toMatchObject(['COPY_MISMATCH', { source: { rows: count }, target: { rows: count - 256 } }])
  })

  test('COPY-8: two rows became one in a copy that was continued', async () => {
    const [from, to] = [await filled(), await open(New)]
    const map = <R extends { readonly no: number }>(order: R) => ({
      ...order,
      no: order.no === 0 ? 4999 : order.no,
      shop: 'x',
      at: new Date(0),
    })
    let checkpoint: string | undefined
    const stopped = new Error('stopped')
    const { signal, abort } = stopAfter(1, stopped)
    const onProgress = (progress: Options.CopyProgress) => {
      ;({ checkpoint } = progress)
      abort()
    }
    await expect(copyTable(from.table, to.table, { map, signal, onProgress })).rejects.toBe(stopped)
    const error = await refusalOf(() => copyTable(from.table, to.table, { map, checkpoint }))
    expect([error.code, error.details]).toMatchObject(['COPY_COLLISION', { key: { at: new Date(0), no: 4999, shop: 'x' } }])
    expect(await codeOf(() => copyTable(from.table, to.table, { map, checkpoint, overwrite: true }))).toBe('COPY_COLLISION')
  })

  test('a map that returns something else each time', async () => {
    const [from, to] = [await filled(), await open(New)]
    let calls = 0
    expect(await codeOf(() => copyTable(from.table, to.table, { map: (order) => ({ ...order, note: `${calls++}` }) }))).toBe(
      'COPY_MISMATCH',
    )
  })
})

test('COPY-7: an abort ends it with its reason, a deadline with a checkpoint, in every phase', async () => {
  const from = await filled()
  const target = memory()
  // One read of the target, 20 batches of writes, then reads of the target.
  for (const left of isShort ? [0, 9, 22] : [0, 1, 9, 20, 22, 25]) {
    const copy = memory()
    let calls = left
    const stuck = (): Promise<never> => new Promise(() => undefined)
    const slow = delegate(copy, {
      write: (batch, options) => (calls-- > 0 ? copy.write(batch, options) : stuck()),
      table(schema, catalog) {
        const store = copy.table(schema, catalog)
        return delegateTable(store, {
          fullScan(checkpoint, options) {
            const inner = store.fullScan(checkpoint, options)
            return { next: (want) => (calls-- > 0 ? inner.next(want) : stuck()), close: () => undefined }
          },
        })
      },
    })
    const to = await open(New, slow)
    const controller = new AbortController()
    const aborted = copyTable(from.table, to.table, { signal: controller.signal })
    for (let i = 0; i < 30; i++) await setImmediate()
    controller.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    calls = left
    const error = await refusalOf(() => copyTable(from.table, to.table, { deadline: Date.now() + 40, overwrite: true }))
    expect(error.code).toBe('DEADLINE')
    const { cursor } = error.details as { readonly cursor: string }
    expect(await copyTable(from.table, createMapper(copy).repository(New), { checkpoint: cursor })).toMatchObject({
      rows: count,
      verified: { rows: count },
    })
  }
  expect(await codeOf(async () => copyTable(from.table, (await open(New, target)).table, { deadline: 0 }))).toBe('DEADLINE')
})

test('COPY-7: a call is one event, and an observer that throws has no effect', async () => {
  const events: unknown[] = []
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const from = await filled(memory(), { onCall: ({ method, rows, table }) => events.push([table, method, rows]) })
  events.length = 0
  const onProgress = (): never => {
    throw new Error('observer')
  }
  await copyTable(from.table, (await open(New)).table, { onProgress })
  expect(events).toEqual([['old_orders', 'copyTable', count]])
  expect(errors).toHaveBeenCalledTimes(5)
  errors.mockRestore()
})

test('COPY-7: a limit of rows per second is a pause after each page, and pages are as small as the limit', async () => {
  expect([pauseAfter(100, 0, 100), pauseAfter(100, 400, 100), pauseAfter(100, 2000, 100), pauseAfter(5, 0, Infinity)]).toEqual([
    1000, 600, 0, 0,
  ])
  const [from, to] = [await filled(), await open(New)]
  const progress: number[] = []
  await copyTable(from.table, to.table, { rowsPerSecond: 20_000, onProgress: ({ rows }) => progress.push(rows) })
  expect(progress).toEqual([1024, 2048, 3072, 4096, 5000])
  const few: number[] = []
  const error = await refusalOf(() =>
    copyTable(from.table, to.table, {
      rowsPerSecond: 50,
      overwrite: true,
      deadline: Date.now() + 200,
      onProgress: ({ rows }) => few.push(rows),
    }),
  )
  expect([error.code, few]).toEqual(['DEADLINE', [50]])
})

test('COPY-7: in memory are one page of each part and the page that is written', async () => {
  const source = memory()
  await filled(source)
  let [held, most] = [0, 0]
  const late = withReads(source, (store) => ({
    fullScan(checkpoint, options) {
      const inner = store.fullScan(checkpoint, options)
      let has = 0
      return {
        async next(want) {
          held -= has
          const page = await inner.next(want)
          has = page === undefined ? 0 : 1
          most = Math.max(most, (held += has))
          await setImmediate()
          return page
        },
        close: () => undefined,
      }
    },
  }))
  const from: { readonly db: Mapper } = { db: createMapper(late) }
  await copyTable(from.db.repository(Old), (await open(New)).table, { parallel: 3, verify: false })
  expect(most).toBeLessThanOrEqual(3)
})

describe('COPY-8: rows of the source that become one row of the target are refused, both are named, and neither replaces the other', () => {
  const Numbers = defineTable('numbers', { columns: { n: int32(), g: int32(), note: nullable(text()) }, key: ['n'] })
  const Groups = defineTable('groups', { columns: { g: int32(), n: int32(), note: nullable(text()) }, key: ['g'] })
  const Wide = defineTable('wide', { columns: { n: int64({ as: 'number' }), g: int32(), note: nullable(text()) }, key: ['n'] })
  const numbers = Array.from({ length: 3000 }, (_, n) => ({ n, g: n, note: `${n}` }))
  interface Numbered {
    readonly n: number
    readonly g: number
    readonly note: string | null
  }

  async function pair<S extends TableSchema>(to: S, given: readonly Numbered[] = numbers) {
    const from = await open(Numbers)
    await from.table.putMany(given)
    return { from: from.table, to: (await open(to)).table }
  }

  test.each([
    { verify: false },
    { verify: true },
    { verify: false, overwrite: true },
    { verify: false, parallel: 4 },
    { verify: false, rowsPerSecond: 1_000_000 },
  ])('of a key that lacks the column that tells them apart, far from each other, with %j', async (options) => {
    const { from, to } = await pair(
      Groups,
      numbers.map((row) => ({ ...row, g: row.n === 2999 ? 1 : row.g })),
    )
    const error = await refusalOf(() => copyTable(from, to, options))
    expect(error.message).toBe(
      "COPY_COLLISION: the rows of 'numbers' with keys (n 1) and (n 2999) both become the row with key (g 1) of 'groups', so one of them would be lost. Copy into a table whose key tells them apart, or leave one of them out in map and copy again with { overwrite: true }.",
    )
    expect(error.details).toEqual({ from: 'numbers', table: 'groups', keys: [{ n: 1 }, { n: 2999 }], key: { g: 1 } })
    expect(await to.get({ g: 1 })).toMatchObject({ n: 1 })
  })

  test('of a map to the key of another row, which keeps its own, before and after it', async () => {
    for (const [wrong, taken] of [
      [2999, 1],
      [1, 2999],
    ] as const) {
      const { from, to } = await pair(Wide)
      const map = (row: Numbered) => ({ ...row, n: row.n === wrong ? taken : row.n })
      const error = await refusalOf(() => copyTable(from, to, { map, verify: false }))
      expect([error.code, error.details]).toMatchObject([
        'COPY_COLLISION',
        { keys: expect.arrayContaining([{ n: 1 }, { n: 2999 }]) as unknown, key: { n: taken } },
      ])
    }
  })

  test('a row that was deleted, or changed, after it was copied is no twin of one that takes its place', async () => {
    for (const change of ['deleted', 'changed'] as const) {
      const { from, to } = await pair(Groups)
      let isDone = false
      const onProgress = async (): Promise<void> => {
        if (isDone) return
        isDone = true
        if (change === 'deleted') await from.delete({ n: 1 })
        else await from.put({ n: 1, g: 7001, note: 'elsewhere' })
        await from.put({ n: 5000, g: 1, note: 'takes its place' })
      }
      await copyTable(from, to, { rowsPerSecond: 1_000_000, verify: false, onProgress })
      expect(await to.get({ g: 1 }), change).toEqual({ g: 1, n: 5000, note: 'takes its place' })
    }
  })

  test('a row that makes place for another one is not in its way', async () => {
    const { from, to } = await pair(Wide)
    const map = (row: Numbered) => ({ ...row, n: row.n + 1 })
    expect((await copyTable(from, to, { map })).verified?.rows).toBe(3000)
    const left = await pair(Wide)
    const leaving = (row: Numbered) => (row.n === 5 ? undefined : { ...row, n: row.n === 6 ? 5 : row.n })
    expect((await copyTable(left.from, left.to, { map: leaving })).verified?.rows).toBe(2999)
  })

  test('a number that no row of the source can have as its key is only compared with the others', async () => {
    const { from, to } = await pair(Wide)
    const far = 2 ** 40
    const code = await codeOf(() => copyTable(from, to, { map: (row) => ({ ...row, n: row.n < 2 ? far : row.n }), verify: false }))
    expect(code).toBe('COPY_COLLISION')
  })

  test('of random maps exactly those with two equal keys are refused', async () => {
    const random = seeded(seed)
    for (let round = 0; round < shortened(200); round++) {
      const given = numbers.slice(0, 1 + random.below(40))
      const places = given.map(({ n }) => (random.next() < 0.9 ? n : random.below(45)))
      const { from, to } = await pair(random.next() < 0.5 ? Wide : Numbers, given)
      const isOneToOne = new Set(places).size === places.length
      const copied = await copyTable(from, to, { map: (row) => ({ ...row, n: places[row.n] ?? 0 }), verify: random.next() < 0.5 }).then(
        () => 'copied',
        (error: unknown) => (error as { code: string }).code,
      )
      expect(copied, `seed ${seed}, round ${round}: ${places.join(' ')}`).toBe(isOneToOne ? 'copied' : 'COPY_COLLISION')
    }
  })

  test('the hashes of two million keys tell them apart, and grow in small steps', () => {
    const count = shortened(2_000_000)
    const keys = new CopiedKeys()
    const bytes = new Uint8Array(8)
    const view = new DataView(bytes.buffer)
    let refused = 0
    for (let n = 0; n < count; n++) {
      view.setUint32(0, n)
      if (!keys.add(bytes, bytes)) refused++
    }
    view.setUint32(0, Math.trunc(count * 0.6))
    expect([refused, keys.add(bytes, new Uint8Array([1])), keys.add(bytes, bytes)]).toEqual([0, false, true])
  })
})
