import { bytes, float64, int64, text, toHex, type Row, type TypeData } from '#codec'
import { defineTable, isTableSchema, renameTable, schemaFromJSON, type TableSchema } from '#model'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../../../test/kit/property.js'
import { problemCodes } from './problems-of.js'
import { randomTable } from './random-schema.js'

const throughText = (schema: TableSchema): TableSchema => schemaFromJSON(JSON.parse(JSON.stringify(schema)) as object)

const bytesOf = ({ layout }: TableSchema, key: Row): string =>
  toHex(layout.rowkeyBound(layout.bucketOf(key), { prefix: key, edge: 'before' }) as Uint8Array)

test('schemaFromJSON: random schemas keep text, fingerprints, columns and bytes', () => {
  fc.assert(
    fc.property(randomTable, ({ schema, keys }) => {
      const copy = throughText(schema)
      expect(JSON.stringify(copy)).toBe(JSON.stringify(schema))
      expect(copy.fingerprints).toEqual(schema.fingerprints)
      const { toJSON: _, layout: __, ...data } = copy
      const { toJSON: ___, layout: ____, ...wanted } = schema
      expect(data).toEqual(wanted)
      for (const key of keys) expect(bytesOf(copy, key)).toBe(bytesOf(schema, key))
    }),
    { numRuns: 300, seed },
  )
})

test('toJSON: constants that JSON lacks survive', () => {
  const schema = defineTable('constants', {
    columns: {
      id: text(),
      big: int64({ default: 9007199254740993n }),
      raw: bytes({ default: new Uint8Array([0, 255]) }),
      none: bytes({ default: new Uint8Array() }),
      nan: float64({ default: NaN }),
      low: float64({ default: -Infinity }),
      minus: float64({ default: -0 }),
    },
    key: ['id'],
  })
  const defaults = Object.fromEntries(throughText(schema).columns.map(({ name, type }) => [name, constant(type)]))
  expect(defaults).toEqual({
    id: undefined,
    big: 9007199254740993n,
    raw: new Uint8Array([0, 255]),
    none: new Uint8Array(),
    nan: NaN,
    low: -Infinity,
    minus: -0,
  })
})

const constant = ({ default: initial }: TypeData): unknown => (initial?.kind === 'constant' ? initial.value : undefined)

test('toJSON: the text, as catalogs hold it', () => {
  const schema = defineTable('users', {
    columns: { name: text({ default: '' }), id: int64({ name: 'user_id' }) },
    key: ['id'],
    stores: { kudu: { b: 1, a: [true] } },
  })
  expect(JSON.stringify(schema)).toBe(
    '{"format":1,"name":"users","writes":"conditional","salt":[],"columns":[' +
      '{"name":"id","physical":"user_id","role":"key","type":{"kind":"int64","desc":false,"nullable":false,"as":"bigint"}},' +
      '{"name":"name","physical":"name","role":"value","type":{"kind":"text","desc":false,"nullable":false,"default":{"kind":"constant","value":""}}}' +
      '],"stores":{"kudu":{"a":[true],"b":1}}}',
  )
  // Golden: a catalog written by one version is compared by the next.
  expect(schema.fingerprints).toEqual({ key: '26f3122dd79f0ac2', layout: 'adcaaf773f2bf7ce' })
})

test.each([
  ['another format', { format: 2, name: 'abc' }],
  ['no columns', { format: 1, name: 'abc', salt: [] }],
  ['an unknown kind', withType({ kind: 'money' })],
  ['a kind in a list', withType({ kind: ['text'] })],
  ['a direction that is none', withType({ kind: 'text', desc: 'yes' })],
  ['data of a newer version', withType({ kind: 'text', collation: 'de' })],
  ['a salt of a newer version', { ...withType({ kind: 'text' }), salt: [{ kind: 'someNewerSalt', of: ['a'], count: 16 }] }],
  ['a salt without a kind', { ...withType({ kind: 'text' }), salt: [{ of: ['a'], count: 16 }] }],
  ['a modulo of two columns', { ...withType({ kind: 'int8' }), salt: [{ kind: 'modulo', of: ['a', 'b'], count: 4 }] }],
  ['a salt that says more', { ...withType({ kind: 'text' }), salt: [{ kind: 'hash', of: ['a'], count: 4, seed: 0, rounds: 2 }] }],
  ['an inherited kind', withType({ kind: 'constructor' })],
  ['a type without its data', withType({ kind: 'fixedBytes' })],
  ['an unknown constant', withType({ kind: 'text', default: { kind: 'constant', value: { regexp: 'x' } } })],
  ['a constant that does not fit', withType({ kind: 'int8', default: { kind: 'constant', value: 300 } })],
  ['bytes that are no hex', withType({ kind: 'bytes', default: { kind: 'constant', value: { bytes: '0g' } } })],
  ['half a byte', withType({ kind: 'bytes', default: { kind: 'constant', value: { bytes: '000' } } })],
  ['an unknown role', { ...withType({ kind: 'text' }), columns: [{ name: 'a', physical: 'a', role: 'version', type: { kind: 'text' } }] }],
  ['a salt that cannot be', { ...withType({ kind: 'text' }), salt: [{ kind: 'hash', of: ['a'], count: 0 }] }],
  ['null', { format: 1, columns: null }],
])('schemaFromJSON: %s is refused', (_, json) => {
  expect(problemCodes(() => schemaFromJSON(json))).toEqual(['MALFORMED_JSON'])
})

test('schemaFromJSON: what defineTable refuses is refused', () => {
  const type = { kind: 'json', desc: false, nullable: false }
  expect(problemCodes(() => schemaFromJSON({ ...withType(type), name: 'x y' }))).toEqual(['INVALID_NAME', 'NOT_A_KEY_TYPE a'])
})

test('renameTable: only the name differs', () => {
  const schema = defineTable('users', { columns: { id: text() }, key: ['id'] })
  const renamed = renameTable(schema, 'dev_users')
  expect(renamed.name).toBe('dev_users')
  expect([schema.declaredName, renamed.declaredName, renameTable(renamed, 'live_users').declaredName]).toEqual(['users', 'users', 'users'])
  expect(renamed.toJSON()).toEqual({ ...schema.toJSON(), name: 'dev_users' })
  expect(renamed.fingerprints).toEqual(schema.fingerprints)
  expect(renamed.layout).toBe(schema.layout)
  expect(schema.name).toBe('users')
  expect(Object.isFrozen(renamed) && isTableSchema(renamed)).toBe(true)
  expect(problemCodes(() => renameTable(schema, 'dev users'))).toEqual(['INVALID_NAME'])
})

function withType(type: object): object {
  return { format: 1, name: 'abc', writes: 'plain', salt: [], columns: [{ name: 'a', physical: 'a', role: 'key', type }] }
}
