import { fromHex, toHex, type Value } from '#codec'
import { schemaFromJSON } from '#model'
import { RecordFormat } from '#record'
import type { TableCatalog, TableSchema } from '#store/adapter'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { golden, textOf, toValue } from './golden.js'

const versions = readdirSync(new URL('golden', import.meta.url)).map((name) => Number(/^format-(\d+)\.json$/.exec(name)?.[1]))
const current = 1

const schemaOf = (catalog: TableCatalog): TableSchema => schemaFromJSON(catalog.schema)

test('there are vectors of every version up to the current one', () => {
  expect(versions.toSorted()).toEqual(Array.from({ length: current }, (_, i) => i + 1))
})

describe.each(versions)('REC-12: version %i', (version) => {
  const { format, catalog, grown, records } = golden(version)

  test('the file is of this version and has every kind of column', () => {
    expect(format).toBe(version)
    expect(records.length).toBeGreaterThan(30)
    expect(new Set(schemaOf(catalog).columns.map(({ type }) => type.kind)).size).toBe(24)
  })

  test.each(records)('$what', ({ hex, values, grown: isOfGrown }) => {
    for (const table of isOfGrown === true ? [grown] : [catalog, grown]) {
      const schema = schemaOf(table)
      const expected = schema.columns.map(({ physical }, i) => (i < schema.keyLength ? 1 : toValue(values[physical] ?? null)))
      const row = new Array<Value>(schema.columns.length).fill(null)
      row[0] = 1
      const records = new RecordFormat(schema, table)
      records.reader().read(fromHex(hex), row)
      expect(row.map(textOf)).toEqual(expected.map(textOf))
      expect(records.expiry(fromHex(hex))).toBe(toValue(values['rk_expires'] ?? null))
      expect(records.version(fromHex(hex))).toBe(values['rk_version'] ?? null)
      if (version === current) expect(toHex(records.encode(expected)), 'what is written today').toBe(hex)
    }
  })
})
