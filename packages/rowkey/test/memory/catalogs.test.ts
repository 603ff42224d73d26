import { text, uint16 } from '#codec'
import { memory } from '#memory'
import { isRowkeyError } from '#store/adapter'
import { describe, expect, test } from 'vitest'
import { drain, open, schemaWith, strong, things } from '../../../../test/kit/schemas.js'

const now = 0
const kept = (values: readonly string[], more: { expires?: boolean } = {}) =>
  schemaWith({ name: 'kept', key: [['k', uint16()]], values, ...more })

describe('catalog', () => {
  test('describes what ensureTable made: JSON, value columns in order, expiry and version among them', async () => {
    const store = memory()
    const schema = things()
    expect(await store.describeTable('things')).toBeUndefined()
    const catalog = await store.ensureTable(schema)
    expect(catalog).toEqual({
      format: 1,
      schema: JSON.parse(JSON.stringify(schema)) as unknown,
      valueColumns: ['a', 'b', 'rk_expires', 'rk_version'],
    })
    expect(await store.describeTable('things')).toEqual(catalog)
  })

  test('leaves a table with another key as it is, so that the core can tell the difference', async () => {
    const store = memory()
    const catalog = await store.ensureTable(kept(['v']))
    const other = schemaWith({ name: 'kept', key: [['k', text()]], values: ['v', 'w'] })
    expect(await store.ensureTable(other)).toBe(catalog)
  })
})

describe('two schemas of one table', () => {
  test('a model with fewer columns than the table, from the start, gets rows of its own length', async () => {
    const { store } = await open(kept(['a', 'b']))
    const narrow = await open(kept(['a']), store)
    store.write([{ schema: narrow.schema, kind: 'put', row: [1, 'x'] }], { now })
    const wide = await open(kept(['a', 'b']), store)
    store.write([{ schema: wide.schema, kind: 'put', row: [2, 'x', 'y'] }], { now })
    expect(await drain(narrow.table.fullScan(undefined, strong))).toEqual([
      [1, 'x'],
      [2, 'x'],
    ])
    expect(await drain(wide.table.fullScan(undefined, strong))).toEqual([
      [1, 'x', null],
      [2, 'x', 'y'],
    ])
  })

  test('conditions find expiry and version by name, not by position', async () => {
    const old = await open(schemaWith({ name: 'kept', key: [['k', uint16()]], values: ['b'], expires: true, versioned: true }))
    const grown = await open(
      schemaWith({ name: 'kept', key: [['k', uint16()]], values: ['a', 'b'], expires: true, versioned: true }),
      old.store,
    )
    old.store.write([{ schema: old.schema, kind: 'put', row: [1, 'b', 10, 'v1'] }], { now })
    const insert = { schema: grown.schema, kind: 'insert', row: [1, 'a', 'b', null, 'v2'] } as const
    expect(old.store.write([insert], { now: 9 })).toEqual([{ kind: 'conflict', current: [1, null, 'b', 10, 'v1'] }])
    expect(old.store.write([{ ...insert, kind: 'put', version: 'v1' }], { now: 9 })).toEqual([{ kind: 'applied' }])
    expect(old.table.get([[1]], strong)).toEqual([[1, 'b', null, 'v2']])
    old.store.write([{ schema: old.schema, kind: 'put', row: [2, 'b', 10, 'v1'] }], { now })
    expect(old.store.write([{ ...insert, row: [2, 'a', 'b', 20, 'v2'] }], { now: 10 })).toEqual([{ kind: 'applied' }])
    expect(await grown.table.purgeExpired?.(20, 10)).toBe(1)
  })

  test('table() refuses a column the table lacks', async () => {
    const { store, catalog } = await open(kept(['b']))
    const error = (() => {
      try {
        return store.table(kept(['a', 'b']), catalog)
      } catch (cause) {
        return cause
      }
    })()
    expect(isRowkeyError(error, 'SCHEMA_MISMATCH')).toBe(true)
    expect((error as Error).message).toContain("'a'")
  })
})

describe('rows', () => {
  test('are given out as they were handed in, not copied', async () => {
    const { store, schema, table } = await open(kept(['v']))
    const row = Object.freeze([1, 'x'])
    store.write([{ schema, kind: 'put', row }], { now })
    expect((await table.get([[1]], strong))[0]).toBe(row)
    expect((await table.get([[1]], { ...strong, columns: [1] }))[0]).toBe(row)
    expect((await drain(table.fullScan(undefined, strong)))[0]).toBe(row)
  })
})

describe('dropTable', () => {
  test('lets the rows go; what was opened before fails, what is opened after is empty', async () => {
    const { store, schema, table } = await open(kept(['v']))
    for (let k = 0; k < 300; k++) store.write([{ schema, kind: 'put', row: [k, 'x'] }], { now })
    const source = table.fullScan(undefined, strong)
    expect((await source.next(10))?.rows.length).toBe(10)
    await store.dropTable('kept')
    await store.dropTable('kept')
    expect(await store.describeTable('kept')).toBeUndefined()
    const fails = (call: () => unknown): void => expect(call).toThrow(expect.objectContaining({ code: 'TABLE_NOT_FOUND' }))
    const checkOld = (): void => {
      fails(() => table.get([[1]], strong))
      fails(() => source.next(10))
      fails(() => table.fullScan(undefined, strong).next(10))
    }
    checkOld()
    expect(store.write([{ schema, kind: 'put', row: [1, 'x'] }], { now })).toMatchObject([
      { kind: 'failed', cause: { code: 'TABLE_NOT_FOUND' } },
    ])
    const again = await open(kept(['v']), store)
    checkOld()
    expect(await drain(again.table.fullScan(undefined, strong))).toEqual([])
  })

  test('table() of a table that does not exist is TABLE_NOT_FOUND', async () => {
    const { store, catalog } = await open(kept([]))
    await store.dropTable('kept')
    expect(() => store.table(kept([]), catalog)).toThrow(expect.objectContaining({ code: 'TABLE_NOT_FOUND' }))
  })
})
