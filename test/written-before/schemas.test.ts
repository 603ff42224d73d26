import { schemaFromJSON } from 'rowkey'
import { expect, test } from 'vitest'
import { kept } from './kept.js'
import { models } from './models.js'

test.each(models.map((model) => [model.name, model] as const))('the JSON and the fingerprints of %s are those of before', (name, model) => {
  const { schema, fingerprints } = kept.tables[name] ?? expect.fail()
  expect(JSON.stringify(model)).toBe(schema)
  expect(JSON.stringify(schemaFromJSON(JSON.parse(schema) as object))).toBe(schema)
  expect(model.fingerprints).toEqual(fingerprints)
  expect(schemaFromJSON(JSON.parse(schema) as object).fingerprints).toEqual(fingerprints)
})

test('every kind of column that a key can have is in a key, and every salt is used', () => {
  const kinds = new Set(models.flatMap(({ columns, keyLength }) => columns.slice(0, keyLength).map(({ type }) => type.kind)))
  expect([...kinds].sort()).toEqual(
    [
      ...['bool', 'bytes', 'date', 'decimal', 'dictionary', 'fixedBytes', 'float32', 'float64', 'int16', 'int32', 'int64', 'int8'],
      ...['paddedText', 'reversed', 'separatedText', 'text', 'timestamp', 'uint16', 'uint32', 'uint64', 'uint8', 'ulid', 'uuid'],
    ].sort(),
  )
  expect(new Set(models.flatMap(({ salt }) => salt.map(({ kind }) => kind)))).toEqual(
    new Set(['hash', 'hashPrefix', 'hashPartition', 'modulo']),
  )
})
