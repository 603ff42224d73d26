import { int64, nullable, text, uint32, type ColumnType, type Value } from '#codec'
import { defineTable } from '#model'
import { RecordFormat } from '#record'
import { grownCatalog, isRowkeyError, newCatalog, type TableCatalog, type TableSchema } from '#store/adapter'
import { expect, test } from 'vitest'

const table = (values: Readonly<Record<string, ColumnType>>): TableSchema =>
  defineTable('grows', { columns: { id: uint32(), ...values }, key: ['id'] })

const Old = table({ m: nullable(text()) })
const New = table({ a: nullable(int64()), m: nullable(text()), z: nullable(text()) })
const first = newCatalog(Old)
const second = grownCatalog(first, New)

function read(schema: TableSchema, catalog: TableCatalog, record: Uint8Array): readonly Value[] {
  const row = new Array<Value>(schema.columns.length).fill(null)
  row[0] = 1
  new RecordFormat(schema, catalog).reader().read(record, row)
  return row
}

test('REC-3: what an older record does not have is null, and new columns are behind the old ones', () => {
  expect(second.valueColumns).toEqual(['m', 'a', 'z'])
  const record = new RecordFormat(Old, first).encode([1, 'text'])
  expect(read(New, second, record)).toEqual([1, null, 'text', null])
})

test('REC-3: columns that were added since are passed over', () => {
  const record = new RecordFormat(New, second).encode([1, 5n, 'text', 'z'])
  expect(read(Old, first, record)).toEqual([1, 'text'])
  expect(read(Old, second, record)).toEqual([1, 'text'])
})

test('REC-3: a column that was added is passed over, however short or long its text is', () => {
  for (const length of [0, 1, 31, 32, 255, 256, 65_535, 65_536]) {
    const both = table({ a: nullable(text()), z: nullable(text()) })
    const catalog = newCatalog(both)
    const record = new RecordFormat(both, catalog).encode([1, 'a'.repeat(length), 'text'])
    expect(read(table({ z: nullable(text()) }), catalog, record)).toEqual([1, 'text'])
  }
})

test('REC-11: the old model changes a row of the new one, which loses nothing', () => {
  const record = new RecordFormat(New, second).encode([1, 5n, 'text', 'z'])
  for (const catalog of [first, second]) {
    const changed = new RecordFormat(Old, catalog).patch(record, [1, 'changed'], [1])
    expect(read(New, second, changed)).toEqual([1, 5n, 'changed', 'z'])
  }
})

test('REC-11: the new model changes an old row', () => {
  const record = new RecordFormat(Old, first).encode([1, 'text'])
  expect(read(New, second, new RecordFormat(New, second).patch(record, [1, null, null, 'z'], [3]))).toEqual([1, null, 'text', 'z'])
})

test('a column that the table lacks is refused', () => {
  const refused = (() => {
    try {
      return new RecordFormat(New, first)
    } catch (error) {
      return error
    }
  })()
  expect(isRowkeyError(refused, 'SCHEMA_MISMATCH')).toBe(true)
  expect((refused as Error).message).toContain("'a'")
})
