import { bytes, defineTable, text, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

const Rows = defineTable('rows', { columns: { id: uint32(), a: text() }, key: ['id'] })
const Heavy = defineTable('heavy', {
  columns: { id: uint32(), a: bytes(), b: bytes(), c: bytes(), d: bytes(), e: bytes() },
  key: ['id'],
})

withServer('redis', ({ url }) => {
  const { open } = places()

  test('more rows than Lua unpacks: written, got, scanned and deleted in one call each', async () => {
    const db = open(url)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    const all = Array.from({ length: 12_000 }, (_, id) => ({ id, a: `${id}` }))
    await rows.putMany(all)
    expect(await rows.getMany(all.map(({ id }) => ({ id })))).toEqual(all)
    expect(await rows.scan({}, { unbounded: true, limit: 11_000 }).toArray()).toEqual(all.slice(0, 11_000))
    expect(await rows.scan({}, { unbounded: true, order: 'reverse' }).toArray()).toEqual(all.toReversed())
    await rows.deleteMany(all.slice(0, 11_999).map(({ id }) => ({ id })))
    expect(await rows.scan({}, { unbounded: true }).toArray()).toEqual(all.slice(11_999))
  })

  test('a page asked for 12,000 rows is cut, and says so by going on', async () => {
    const { adapter, prefix } = open(url)
    const schema = defineTable(`${prefix}pages`, { columns: { id: uint32(), a: text() }, key: ['id'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    const put = (id: number) => ({ kind: 'put' as const, schema, row: [id, 'x'] })
    const outcomes = await adapter.write(Array.from({ length: 12_000 }, (_, id) => put(id)), { now: 0 }) // prettier-ignore
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['applied']))
    const ends = { from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' } } as const
    const source = store.scan({ bucket: 0, ...ends, reverse: false }, { consistency: 'strong' })
    const sizes = []
    for (let page = await source.next(12_000); page !== undefined; page = await source.next(12_000)) sizes.push(page.rows.length)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(12_000)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4096)
    await adapter.dropTable(schema.name)
  })

  test('an atomic batch of 1,000 rows is one script', async () => {
    const db = open(url)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    await rows.put({ id: 5, a: 'there' })
    const inserts = Array.from({ length: 999 }, (_, i) => rows.ops.insert({ id: 10 + i, a: 'x' }))
    await expect(db.write([...inserts, rows.ops.insert({ id: 5, a: 'x' })], { atomic: true })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
    expect(await rows.scan({}, { unbounded: true }).count()).toBe(1)
    await db.write([...inserts, rows.ops.update({ id: 5 }, { a: 'x' })], { atomic: true })
    expect(await rows.scan({}, { unbounded: true }).count()).toBe(1000)
    const many = Array.from({ length: 1001 }, (_, i) => rows.ops.put({ id: i, a: 'y' }))
    await expect(db.write(many, { atomic: true })).rejects.toMatchObject({ code: 'ATOMIC_SCOPE' })
  })

  test('writes of one tick to one row are done in their order, one by one and atomic', async () => {
    const { adapter, prefix } = open(url)
    const schema = defineTable(`${prefix}tick`, { columns: { id: uint32(), a: text() }, key: ['id'] })
    const store = adapter.table(schema, await adapter.ensureTable(schema))
    const write = async (kind: 'put' | 'insert' | 'delete', id: number, a: string, atomic?: string): Promise<string | undefined> => {
      const [outcome] = await adapter.write([{ kind, schema, row: [id, a] }], { now: 0, ...(atomic === undefined ? {} : { atomic }) })
      return outcome?.kind
    }
    const round = (): Promise<unknown[]> =>
      Promise.all([
        ...[write('put', 1, 'a'), write('delete', 1, ''), write('insert', 1, 'b'), write('insert', 1, 'c'), write('put', 2, 'a')],
        ...[
          write('insert', 2, 'b', 'x'),
          write('delete', 2, '', 'y'),
          write('insert', 2, 'c'),
          store.get([[1], [2]], { consistency: 'strong' }),
        ],
      ])
    await round() // the server knows the scripts
    expect(await round()).toEqual([
      ...['applied', 'applied', 'applied', 'conflict', 'applied'],
      ...['conflict', 'applied', 'applied', [[1, 'b'], [2, 'c']]], // prettier-ignore
    ])
    await adapter.dropTable(schema.name)
  })

  test('heavy rows come in pages of a megabyte or so, all of them', async () => {
    const db = open(url)
    await db.ensureTables([Heavy])
    const rows = db.repository(Heavy)
    const part = new Uint8Array(65_535).fill(7)
    await rows.putMany(Array.from({ length: 60 }, (_, id) => ({ id, a: part, b: part, c: part, d: part, e: part })))
    const scan = rows.scan({}, { unbounded: true, limit: 60 })
    expect((await scan.toArray()).map(({ id, e }) => [id, e.length])).toEqual(Array.from({ length: 60 }, (_, id) => [id, 65_535]))
    const ids = []
    for await (const { id } of rows.readAll()) ids.push(id)
    expect(ids).toEqual(Array.from({ length: 60 }, (_, id) => id))
  })
})
