import type { Row } from '#codec'
import { memory } from '#memory'
import { isRowkeyError, type Mutation } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import { drain, kinds, open, schemaWith, strong, things } from '../../../../test/kit/schemas.js'

const now = 1000
const row = (n: number, a: string | null, expires: number | null = null, version: string | null = null): Row => [
  'web',
  n,
  a,
  null,
  expires,
  version,
]

describe('outcomes', () => {
  test('insert is a conflict if the row is there, and tells it', async () => {
    const { store, schema, table } = await open(things())
    const insert = (a: string): Mutation => ({ schema, kind: 'insert', row: row(1, a) })
    expect(store.write([insert('x')], { now })).toEqual([{ kind: 'applied' }])
    expect(store.write([insert('y')], { now })).toEqual([{ kind: 'conflict', current: row(1, 'x') }])
    expect(table.get([['web', 1]], strong)).toEqual([row(1, 'x')])
  })

  test('update writes only the positions in set, keeps the expiry, and misses an absent row', async () => {
    const { store, schema, table } = await open(things())
    const update: Mutation = { schema, kind: 'update', row: ['web', 1, 'ignored', 'new', 5, null], set: [3] }
    expect(store.write([update], { now })).toEqual([{ kind: 'missing' }])
    expect(table.get([['web', 1]], strong)).toEqual([undefined])
    const before = row(1, 'x', 2000)
    store.write([{ schema, kind: 'put', row: before }], { now })
    expect(store.write([update], { now })).toEqual([{ kind: 'applied' }])
    expect(table.get([['web', 1]], strong)).toEqual([['web', 1, 'x', 'new', 2000, null]])
    expect(before, 'rows handed in stay as they are').toEqual(row(1, 'x', 2000))
  })

  test('a batch goes in order, and what fails stops nothing', async () => {
    const { store, schema, table } = await open(things())
    const stranger = schemaWith({ name: 'strangers', key: schema.columns.slice(0, 1).map(({ name, type }) => [name, type]) })
    const outcomes = await store.write(
      [
        { schema, kind: 'insert', row: row(1, 'x') },
        { schema: stranger, kind: 'put', row: ['web'] },
        { schema, kind: 'update', row: row(2, 'x'), set: [2] },
        { schema, kind: 'insert', row: row(3, 'x') },
      ],
      { now },
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'failed', 'missing', 'applied'])
    expect(outcomes[1]).toMatchObject({ cause: { code: 'TABLE_NOT_FOUND' } })
    expect(
      table.get(
        [
          ['web', 1],
          ['web', 2],
          ['web', 3],
        ],
        strong,
      ),
    ).toEqual([row(1, 'x'), undefined, row(3, 'x')])
  })

  test('answers at once, not by promise', async () => {
    const { store, schema, table } = await open(things())
    expect(store.write([{ schema, kind: 'put', row: row(1, 'x') }], { now })).toBeInstanceOf(Array)
    expect(table.get([['web', 1]], strong)).toBeInstanceOf(Array)
  })
})

describe('expiry', () => {
  test('reads still give an expired row: the core drops it', async () => {
    const { store, schema, table } = await open(things())
    store.write([{ schema, kind: 'put', row: row(1, 'x', now - 1) }], { now })
    expect(table.get([['web', 1]], strong)).toEqual([row(1, 'x', now - 1)])
  })

  test('purgeExpired deletes the expired rows only, up to its limit, and goes on from there', async () => {
    const { store, schema, table } = await open(things())
    for (let n = 0; n < 500; n++) store.write([{ schema, kind: 'put', row: row(n, 'x', n % 2 === 0 ? now : now + 1) }], { now })
    expect(await table.purgeExpired?.(now, 100)).toBe(100)
    expect(await table.purgeExpired?.(now, 100)).toBe(100)
    // Back again: one row behind the place where it stopped, and the one at that place.
    for (const n of [0, 398]) store.write([{ schema, kind: 'put', row: row(n, 'again', now) }], { now })
    expect(await table.purgeExpired?.(now, 100)).toBe(52)
    expect(await table.purgeExpired?.(now, 100)).toBe(0)
    const left = await drain(table.fullScan(undefined, strong))
    expect(left.length).toBe(250)
    expect(left.every((each) => each[4] === now + 1)).toBe(true)
    expect(table.get([['web', 2]], strong)).toEqual([undefined])
  })

  test('purgeExpired of a table without expiry deletes nothing', async () => {
    const { table } = await open(
      schemaWith({
        key: [
          ...things()
            .columns.slice(0, 2)
            .map(({ name, type }) => [name, type] as [string, typeof type]),
        ],
      }),
    )
    expect(await table.purgeExpired?.(now, 100)).toBe(0)
  })
})

describe('atomic batch', () => {
  test('applies nothing if one condition fails: what failed says why, the others are unprocessed', async () => {
    const { store, schema, table } = await open(things())
    store.write([{ schema, kind: 'put', row: row(1, 'x') }], { now })
    const batch: Mutation[] = [
      { schema, kind: 'put', row: row(0, 'new') },
      { schema, kind: 'insert', row: row(1, 'y') },
      { schema, kind: 'update', row: row(2, 'y'), set: [2] },
      { schema, kind: 'delete', row: ['web', 1] },
    ]
    expect(await store.write(batch, { now, atomic: 't' })).toEqual([
      { kind: 'unprocessed' },
      { kind: 'conflict', current: row(1, 'x') },
      { kind: 'missing' },
      { kind: 'unprocessed' },
    ])
    expect(await drain(table.fullScan(undefined, strong))).toEqual([row(1, 'x')])
  })

  test('applies nothing if one table is gone', async () => {
    const { store, schema, table } = await open(things())
    const other = await open(schemaWith({ name: 'others', key: [['k', schema.columns[0]?.type as never]] }), store)
    await store.dropTable('others')
    const batch: Mutation[] = [
      { schema, kind: 'put', row: row(1, 'x') },
      { schema: other.schema, kind: 'put', row: ['k'] },
    ]
    expect(await kinds(store.write(batch, { now, atomic: 't' }))).toEqual(['unprocessed', 'failed'])
    expect(table.get([['web', 1]], strong)).toEqual([undefined])
  })
})

describe('close', () => {
  test('never waits, may be called twice, and every later call is CLOSED', async () => {
    const { store, schema, catalog, table } = await open(things())
    for (let n = 0; n < 200; n++) store.write([{ schema, kind: 'put', row: row(n, 'x') }], { now })
    const source = table.fullScan(undefined, strong)
    void source.next(10)
    await store.close()
    await store.close()
    const calls: (() => unknown)[] = [
      () => table.get([['web', 1]], strong),
      () => source.next(10),
      () => table.fullScan(undefined, strong).next(10),
      () => table.purgeExpired?.(now, 1),
      () => store.table(schema, catalog),
      () => store.write([], { now }),
      () => store.ensureTable(schema),
      () => store.describeTable(schema.name),
      () => store.dropTable(schema.name),
    ]
    for (const call of calls) {
      const error = await Promise.resolve()
        .then(call)
        .catch((cause: unknown) => cause)
      expect(isRowkeyError(error, 'CLOSED'), String(call)).toBe(true)
    }
  })

  test('stores are apart', async () => {
    const first = await open(things())
    const second = await open(things(), memory())
    first.store.write([{ schema: first.schema, kind: 'put', row: row(1, 'x') }], { now })
    expect(second.table.get([['web', 1]], strong)).toEqual([undefined])
  })
})
