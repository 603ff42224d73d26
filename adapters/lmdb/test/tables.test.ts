import { text, uint16, type Row } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import { createMapper, defineTable, memory } from 'rowkey'
import { Cancellation, type CancellationOptions, type Mutation, RecordFormat, type Slice } from 'rowkey/adapter'
import { open as openFile, type RootDatabase } from 'lmdb'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { drain, kinds, open, schemaWith, strong, things, type Opened } from '../../../test/kit/schemas.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
const opened: { close(): Promise<void> }[] = []
let count = 0
const store = (path = folder.path(`t${count++}`)) => {
  const adapter = lmdb(path, { sync: false })
  opened.push(adapter)
  return adapter
}
afterEach(async () => {
  for (const adapter of opened.splice(0)) await adapter.close()
})
afterAll(folder.remove)

const now = 1000
const kept = (values: readonly string[], more: { name?: string; expires?: boolean } = {}) =>
  schemaWith({ name: 'kept', key: [['k', uint16()]], values, ...more })
const everything = { from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' }, bucket: 0 } as const
const put = ({ schema }: Opened, ...rows: Row[]): Mutation[] => rows.map((row) => ({ schema, kind: 'put', row }))

describe('tables', () => {
  test('the catalog only grows, whatever an ensureTable had seen before', async () => {
    const adapter = store()
    await adapter.ensureTable(kept(['b', 'm']))
    await adapter.ensureTable(kept(['a', 'b', 'm']))
    const last = await adapter.ensureTable(kept(['b', 'm', 'z'], { expires: true }))
    expect(last.valueColumns).toEqual(['b', 'm', 'a', 'z', 'rk_expires'])
    expect(await adapter.describeTable('kept')).toEqual(last)
    expect(await adapter.ensureTable(kept(['m']))).toEqual(last)
  })

  test('many made at once have rows of their own', async () => {
    const adapter = store()
    const tables = await Promise.all(Array.from({ length: 300 }, (_, i) => open(kept(['v'], { name: `t_${i}` }), adapter)))
    expect(new Set(tables.map(({ catalog }) => catalog.store?.['table'])).size).toBe(300)
    await adapter.write(
      tables.flatMap((table, i) => put(table, [1, `one of ${i}`], [65_535, `last of ${i}`])),
      { now },
    )
    for (const [i, { table }] of tables.entries()) {
      const rows = [
        [1, `one of ${i}`],
        [65_535, `last of ${i}`],
      ]
      expect(await drain(table.scan({ ...everything, reverse: false }, strong))).toEqual(rows)
      expect(await drain(table.scan({ ...everything, reverse: true }, strong))).toEqual(rows.toReversed())
    }
  })

  test('made by two at once, it is one table', async () => {
    const adapter = store()
    const [a, b] = await Promise.all([adapter.ensureTable(kept(['a'])), adapter.ensureTable(kept(['b']))])
    expect(b.store).toEqual(a.store)
    expect((await adapter.describeTable('kept'))?.valueColumns).toEqual(['a', 'b'])
  })

  test('two models of one table read and change the same rows', async () => {
    const old = await open(kept(['b']), store())
    const grown = await open(kept(['a', 'b']), old.store)
    await old.store.write([...put(grown, [1, 'a', 'b'], [2, 'a', 'b']), ...put(old, [3, 'b'])], { now })
    await old.store.write([{ schema: old.schema, kind: 'update', row: [1, 'changed'], set: [1] }, ...put(old, [2, 'changed'])], { now })
    expect(grown.table.get([[1], [2], [3]], strong)).toEqual([
      [1, 'a', 'changed'],
      [2, null, 'changed'],
      [3, null, 'b'],
    ])
    expect(await drain(old.table.scan({ ...everything, reverse: false }, strong))).toEqual([
      [1, 'changed'],
      [2, 'changed'],
      [3, 'b'],
    ])
  })

  test('dropped: nobody finds its rows, what was opened before fails, and a new one is empty', async () => {
    const first = await open(kept(['v']), store())
    const { store: adapter, table, schema } = first
    await adapter.write(put(first, ...Array.from({ length: 5000 }, (_, k) => [k, 'x'])), { now })
    const neighbour = await open(kept(['v'], { name: 'other' }), adapter)
    await adapter.write(put(neighbour, [1, 'stays']), { now })
    const source = table.fullScan(undefined, strong)
    expect((await source.next(10))?.rows).toHaveLength(10)
    await adapter.dropTable('kept')
    await adapter.dropTable('kept')
    const missing = expect.objectContaining({ code: 'TABLE_NOT_FOUND' }) as Error
    expect(() => table.get([[1]], strong)).toThrow(missing)
    expect(() => source.next(10)).toThrow(missing)
    expect(await adapter.write([{ schema, kind: 'put', row: [1, 'x'] }], { now })).toMatchObject([{ kind: 'failed', cause: missing }])
    await expect(table.purgeExpired?.(now, 10)).resolves.toBe(0) // no expiry, so nothing is read
    const again = await open(kept(['v']), adapter)
    expect(await drain(again.table.fullScan(undefined, strong))).toEqual([])
    expect(() => table.get([[1]], strong)).toThrow(missing)
    expect(await drain(neighbour.table.fullScan(undefined, strong))).toEqual([[1, 'stays']])
  })

  test('dropped: its rows leave the file, also where a process ended in the middle of it', async () => {
    const path = folder.path('dropped')
    const options = { keyEncoding: 'binary', encoding: 'binary', noSubdir: false, overlappingSync: false, noSync: true } as const
    const count = async (prepare?: (file: RootDatabase<Buffer, Buffer>) => Promise<unknown>): Promise<number> => {
      const file = openFile<Buffer, Buffer>(path, options)
      await prepare?.(file)
      const keys = file.getKeysCount()
      await file.close()
      return keys
    }
    const one = await open(kept(['v']), store(path))
    await one.store.write(put(one, ...Array.from({ length: 5000 }, (_, k) => [k, 'x'])), { now })
    expect(await count()).toBe(5000 + 3)
    await one.store.dropTable('kept')
    expect(await count(), 'the header stays').toBe(1)

    const two = await open(kept(['v']), one.store)
    await two.store.write(put(two, ...Array.from({ length: 5000 }, (_, k) => [k, 'x'])), { now })
    const [space, number] = [Buffer.from('00000000', 'hex'), Buffer.from('00000002', 'hex')]
    const interrupted = async (file: RootDatabase<Buffer, Buffer>): Promise<void> => {
      await file.remove(Buffer.concat([space, Buffer.from([1]), Buffer.from('kept')]))
      await file.remove(Buffer.concat([space, Buffer.from([2]), number]))
      await file.put(Buffer.concat([space, Buffer.from([3]), number]), Buffer.from('kept'))
    }
    expect(await count(interrupted)).toBe(5000 + 2)
    await open(kept(['v'], { name: 'another' }), one.store)
    expect(await count()).toBe(1 + 2)
  })

  test('of another file, or never opened: TABLE_NOT_FOUND', async () => {
    const { schema, store: adapter } = await open(kept(['v']), store())
    expect(() => adapter.table(schema, { format: 1, schema: {}, valueColumns: ['v'] })).toThrow(
      expect.objectContaining({ code: 'TABLE_NOT_FOUND' }),
    )
    expect(await kinds(adapter.write([{ schema: kept(['v']), kind: 'put', row: [1, 'x'] }], { now }))).toEqual(['failed'])
  })
})

describe('reading', () => {
  test('pages go on behind the last row, in both directions, with rows that come and go', async () => {
    const one = await open(kept(['v']), store())
    await one.store.write(put(one, ...Array.from({ length: 50 }, (_, k) => [k * 2, 'x'])), { now })
    for (const reverse of [false, true]) {
      const seen: number[] = []
      const source = one.table.scan({ ...everything, reverse }, strong)
      for (let page = await source.next(7); page !== undefined; page = await source.next(7)) {
        expect(page.rows.length).toBeLessThanOrEqual(7)
        expect(page.examined).toBe(page.rows.length)
        seen.push(...page.rows.map(([k]) => k as number))
        const last = seen.at(-1) as number
        await one.store.write([{ schema: one.schema, kind: 'delete', row: [last] }, ...put(one, [last, 'again'])], { now })
      }
      const all = Array.from({ length: 50 }, (_, k) => k * 2)
      expect(seen).toEqual(reverse ? all.toReversed() : all)
    }
  })

  test.each<[string, Partial<Slice>, number[]]>([
    ['from a row that is there', { from: { prefix: [4], edge: 'before' } }, [4, 6, 8]],
    ['behind it', { from: { prefix: [4], edge: 'after' } }, [6, 8]],
    ['from one that is not', { from: { prefix: [3], edge: 'before' } }, [4, 6, 8]],
    ['to a row that is there', { to: { prefix: [4], edge: 'before' } }, [0, 2]],
    ['to behind it', { to: { prefix: [4], edge: 'after' } }, [0, 2, 4]],
    ['to one that is not', { to: { prefix: [5], edge: 'before' } }, [0, 2, 4]],
    ['nothing', { from: { prefix: [3], edge: 'before' }, to: { prefix: [3], edge: 'after' } }, []],
  ])('a slice %s, in both directions', async (_, slice, expected) => {
    const one = await open(kept([]), store())
    await one.store.write(put(one, [0], [2], [4], [6], [8]), { now })
    const keys = async (reverse: boolean) => (await drain(one.table.scan({ ...everything, ...slice, reverse }, strong), 2)).map(([k]) => k)
    expect(await keys(false)).toEqual(expected)
    expect(await keys(true)).toEqual(expected.toReversed())
  })

  test('bounds and keys longer than LMDB takes are answered, not refused by it', async () => {
    const one = await open(
      schemaWith({
        name: 'long',
        key: [
          ['a', text()],
          ['b', text()],
        ],
      }),
      store(),
    )
    const [long, longer] = ['x'.repeat(900), 'y'.repeat(1500)]
    await one.store.write(put(one, [long, 'b'], ['z', 'z']), { now })
    expect(one.table.get([[long, longer]], strong)).toEqual([undefined])
    const scan = (from: Row, to: Row, reverse: boolean) =>
      drain(one.table.scan({ bucket: 0, from: { prefix: from, edge: 'before' }, to: { prefix: to, edge: 'after' }, reverse }, strong))
    for (const reverse of [false, true]) {
      expect(await scan([long, 'a'], [long, longer], reverse)).toEqual([[long, 'b']])
      expect(await scan([long, longer], ['z', 'z'.repeat(1500)], reverse)).toEqual([['z', 'z']])
    }
    expect(await one.store.write(put(one, [long, longer]), { now })).toMatchObject([{ kind: 'failed', cause: { code: 'LIMIT_EXCEEDED' } }])
  })

  test('a page of large rows ends early, and nothing is lost', async () => {
    const one = await open(kept(['v']), store())
    await one.store.write(put(one, ...Array.from({ length: 60 }, (_, k) => [k, 'x'.repeat(60_000)])), { now })
    const source = one.table.fullScan(undefined, strong)
    const first = await source.next(1000)
    expect(first?.rows.length).toBeLessThan(30)
    expect((first?.rows.length ?? 0) + (await drain(source, 1000)).length).toBe(60)
  })

  test('only the columns asked for, null elsewhere', async () => {
    const one = await open(kept(['a', 'b', 'c']), store())
    await one.store.write(put(one, [1, 'a', 'b', 'c']), { now })
    expect(one.table.get([[1]], { ...strong, columns: [2] })).toEqual([[1, null, 'b', null]])
    expect(await drain(one.table.scan({ ...everything, reverse: true }, { ...strong, columns: [3, 1] }))).toEqual([[1, 'a', null, 'c']])
    expect(await drain(one.table.fullScan(undefined, { ...strong, columns: [] }))).toEqual([[1, null, null, null]])
  })

  test('a full scan goes on from a checkpoint of another process', async () => {
    const path = folder.path('checkpoints')
    const first = await open(kept(['v']), store(path))
    await first.store.write(put(first, ...Array.from({ length: 10 }, (_, k) => [k, 'x'])), { now })
    const page = await first.table.fullScan(undefined, strong).next(4)
    expect(page?.checkpoint).toBeTypeOf('string')
    await first.store.close()
    const second = await open(kept(['v']), store(path))
    const rest = await drain(second.table.fullScan(page?.checkpoint, strong), 3)
    expect(rest.map(([k]) => k)).toEqual([4, 5, 6, 7, 8, 9])
  })
})

describe('writing', () => {
  const row = (n: number, a: string | null, expires: number | null = null, version: string | null = null): Row => [
    'web',
    n,
    a,
    null,
    expires,
    version,
  ]

  test('outcomes of every kind, each by itself', async () => {
    const { schema, table, store: adapter } = await open(things(), store())
    const write = (mutations: Mutation[]) => adapter.write(mutations, { now })
    const insert = (a: string): Mutation => ({ schema, kind: 'insert', row: row(1, a, 2000) })
    expect(await write([insert('x')])).toEqual([{ kind: 'applied' }])
    expect(await write([insert('y')])).toEqual([{ kind: 'conflict', current: row(1, 'x', 2000) }])
    const update: Mutation = { schema, kind: 'update', row: ['web', 1, 'ignored', 'new', 5, null], set: [3] }
    expect(await write([{ ...update, row: ['web', 2, null, 'new', null, null] }, update])).toEqual([
      { kind: 'missing' },
      { kind: 'applied' },
    ])
    expect(table.get([['web', 1]], strong)).toEqual([['web', 1, 'x', 'new', 2000, null]])
    expect(
      await kinds(
        write([
          { schema, kind: 'delete', row: ['web', 1] },
          { schema, kind: 'delete', row: ['web', 9] },
        ]),
      ),
    ).toEqual(['applied', 'applied'])
    expect(table.get([['web', 1]], strong)).toEqual([undefined])
  })

  test.each(['put', 'update', 'delete'] as const)('%s with a version: missing, conflict, applied', async (kind) => {
    const { schema, store: adapter } = await open(things(), store())
    const mutation = { schema, kind, row: kind === 'delete' ? ['web', 1] : row(1, 'y', null, 'v2'), set: [2, 5], version: 'v1' } as Mutation
    expect(await adapter.write([mutation], { now })).toEqual([{ kind: 'missing' }])
    await adapter.write([{ schema, kind: 'put', row: row(1, 'x', null, 'v0') }], { now })
    expect(await adapter.write([mutation], { now })).toEqual([{ kind: 'conflict', current: row(1, 'x', null, 'v0') }])
    await adapter.write([{ schema, kind: 'put', row: row(1, 'x', null, 'v1') }], { now })
    expect(await adapter.write([mutation], { now })).toEqual([{ kind: 'applied' }])
  })

  test('an expired row does not exist for conditions, at its very instant', async () => {
    const { schema, store: adapter, table } = await open(things(), store())
    await adapter.write([{ schema, kind: 'put', row: row(1, 'x', now) }], { now: 0 })
    const insert = { schema, kind: 'insert', row: row(1, 'y') } as const
    expect(await kinds(adapter.write([insert], { now: now - 1 }))).toEqual(['conflict'])
    expect(await kinds(adapter.write([{ schema, kind: 'update', row: row(1, 'z'), set: [2] }], { now }))).toEqual(['missing'])
    expect(table.get([['web', 1]], strong), 'reads leave it to the core').toEqual([row(1, 'x', now)])
    expect(await kinds(adapter.write([insert], { now }))).toEqual(['applied'])
  })

  test('atomic: all or none, over tables', async () => {
    const { schema, store: adapter, table } = await open(things(), store())
    const other = await open(kept(['v']), adapter)
    await adapter.write([{ schema, kind: 'put', row: row(1, 'x') }], { now })
    const batch: Mutation[] = [
      { schema: other.schema, kind: 'put', row: [1, 'v'] },
      { schema, kind: 'insert', row: row(1, 'y') },
      { schema, kind: 'update', row: row(2, 'y'), set: [2] },
      { schema, kind: 'put', row: row(3, 'y') },
    ]
    expect(await kinds(adapter.write(batch, { now, atomic: 'token' }))).toEqual(['unprocessed', 'conflict', 'missing', 'unprocessed'])
    expect([other.table.get([[1]], strong), table.get([['web', 3]], strong)]).toEqual([[undefined], [undefined]])
    expect(await kinds(adapter.write([batch[0] as Mutation, batch[3] as Mutation], { now, atomic: 'token' }))).toEqual([
      'applied',
      'applied',
    ])
    expect([other.table.get([[1]], strong), table.get([['web', 3]], strong)]).toEqual([[[1, 'v']], [row(3, 'y')]])
  })

  test('2 × 1,000 concurrent updates of two columns lose none', async () => {
    const one = await open(kept(['a', 'b']), store())
    await one.store.write(put(one, [1, '0', '0']), { now })
    const all: Promise<string[]>[] = []
    for (let i = 1; i <= 1000; i++) {
      for (const set of [1, 2])
        all.push(kinds(one.store.write([{ schema: one.schema, kind: 'update', row: [1, String(i), String(i)], set: [set] }], { now })))
      if (i % 10 === 0) await all.at(-1)
    }
    expect(new Set((await Promise.all(all)).flat())).toEqual(new Set(['applied']))
    expect(one.table.get([[1]], strong)).toEqual([[1, '1000', '1000']])
  })

  test('of two inserts at once one is a conflict', async () => {
    const one = await open(kept(['v']), store())
    const insert = async (v: string) => one.store.write([{ schema: one.schema, kind: 'insert', row: [1, v] }], { now })
    const outcomes = (await Promise.all(Array.from({ length: 20 }, (_, i) => insert(String(i))))).flat()
    expect(outcomes.filter(({ kind }) => kind === 'applied')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'conflict')).toHaveLength(19)
  })

  test('who has stopped waiting before the transaction is unprocessed', async () => {
    const one = await open(kept(['v']), store())
    const outcome = (options: CancellationOptions) =>
      kinds(one.store.write(put(one, [1, 'x']), { now, cancellation: new Cancellation(options) }))
    expect(await outcome({ signal: AbortSignal.abort() })).toEqual(['unprocessed'])
    expect(await outcome({ deadline: Date.now() - 1000 })).toEqual(['unprocessed'])
    expect(one.table.get([[1]], strong)).toEqual([undefined])
    expect(await outcome({ deadline: Date.now() + 60_000 })).toEqual(['applied'])
  })

  test('a damaged row exists, and is UNREADABLE_ROW for changes; a put mends it', async () => {
    const path = folder.path('damaged')
    const one = await open(kept(['v']), store(path))
    await one.store.write(put(one, [1, 'x'], [2, 'x']), { now })
    const file = openFile<Buffer, Buffer>(path, {
      keyEncoding: 'binary',
      encoding: 'binary',
      noSubdir: false,
      overlappingSync: false,
      noSync: true,
    })
    const [key = Buffer.alloc(0)] = [...file.getKeys({ start: Buffer.from([0, 0, 0, 1]) })]
    await file.put(key, Buffer.from('9401c0c0', 'hex'))
    await file.close()
    const corrupt = { code: 'UNREADABLE_ROW', details: { table: 'kept', column: 'v' } }
    expect(() => one.table.get([[1]], strong)).toThrow(expect.objectContaining(corrupt))
    const update = { schema: one.schema, kind: 'update', row: [1, 'y'], set: [1] } as const
    const insert = { schema: one.schema, kind: 'insert', row: [1, 'y'] } as const
    expect(await one.store.write([update, ...put(one, [2, 'y'])], { now })).toMatchObject([
      { kind: 'failed', cause: corrupt },
      { kind: 'applied' },
    ])
    expect(await one.store.write([update, ...put(one, [2, 'z'])], { now, atomic: 'a' })).toMatchObject([
      { kind: 'failed', cause: corrupt },
      { kind: 'unprocessed' },
    ])
    expect(await one.store.write([insert], { now })).toEqual([{ kind: 'conflict' }])
    expect(await kinds(one.store.write(put(one, [1, 'mended']), { now }))).toEqual(['applied'])
    expect(one.table.get([[1], [2]], strong)).toEqual([
      [1, 'mended'],
      [2, 'y'],
    ])
  })
})

describe('purgeExpired', () => {
  test('deletes what has expired, a limit at a time, and goes on where it stopped', async () => {
    const one = await open(kept(['v'], { expires: true }), store())
    await one.store.write(put(one, ...Array.from({ length: 5000 }, (_, k): Row => [k, 'x', k % 3 === 0 ? k : null])), { now: 0 })
    const purge = (at: number, limit: number) => one.table.purgeExpired?.(at, limit)
    expect(await purge(-1, 100)).toBe(0)
    let deleted = 0
    for (let some = await purge(4000, 100); some !== undefined && some > 0; some = await purge(4000, 100)) deleted += some
    expect(deleted).toBe(1334)
    const left = await drain(one.table.fullScan(undefined, strong))
    expect(left).toHaveLength(5000 - 1334)
    expect(left.every(([, , expires]) => expires === null || Number(expires) > 4000)).toBe(true)
    await one.store.write(put(one, [0, 'early', 1]), { now: 0 })
    expect(await purge(4000, 100)).toBe(1)
  })

  test('many small calls look at each row once, and then begin anew', async () => {
    const one = await open(kept(['v'], { expires: true }), store())
    await one.store.write(put(one, ...Array.from({ length: 2000 }, (_, k): Row => [k, 'x', k % 2 === 0 ? 5 : null])), { now: 0 })
    const looks = vi.spyOn(RecordFormat.prototype, 'expiry')
    for (let call = 0; call < 50; call++) expect(await one.table.purgeExpired?.(10, 10)).toBe(10)
    expect(looks.mock.calls.length).toBeLessThan(2 * 2000)
    await one.store.write(put(one, [0, 'before where it stopped', 5]), { now: 0 })
    expect(await one.table.purgeExpired?.(10, 1000)).toBe(501)
    expect(await one.table.purgeExpired?.(10, 1000)).toBe(0)
    looks.mockRestore()
  })

  test('spares a row that is written anew while it runs', async () => {
    const one = await open(kept(['v'], { expires: true }), store())
    await one.store.write(put(one, [1, 'old', 5]), { now: 0 })
    const renewed = one.store.write(put(one, [1, 'new', null]), { now: 0 })
    expect(await one.table.purgeExpired?.(10, 10)).toBe(0)
    expect(await kinds(renewed)).toEqual(['applied'])
    expect(one.table.get([[1]], strong)).toEqual([[1, 'new', null]])
  })
})

test('WRITE-10: deadlines go by the clock of the mapper, and one that is over is refused, on LMDB as in memory', async () => {
  const Notes = defineTable('notes', { columns: { id: text() }, key: ['id'] })
  for (const clock of [() => 1_700_000_000_000, () => 4_000_000_000_000]) {
    for (const adapter of [store(), memory()]) {
      const db = createMapper(adapter, { clock })
      await db.ensureTables([Notes])
      const notes = db.repository(Notes)
      await notes.put({ id: 'in time' }, { deadline: clock() + 60_000 })
      await notes.putMany([{ id: 'in time too' }], { deadline: clock() + 60_000 })
      await expect(notes.put({ id: 'late' }, { deadline: clock() })).rejects.toThrow('DEADLINE')
      await expect(notes.putMany([{ id: 'late' }], { deadline: clock() - 1 })).rejects.toThrow('DEADLINE')
      await expect(db.write([notes.ops.put({ id: 'late' })], { atomic: true, deadline: clock() })).rejects.toThrow('DEADLINE')
      expect(await notes.readAll().count()).toBe(2)
    }
  }
})
