import { text, uint32, type Row } from '#codec'
import { defineTable, durationMs, renameTable, schemaFromJSON, type StandardSchema, type TableSchema } from '#model'
import { describe, expect, test } from 'vitest'
import { problemCodes, problemsOf } from './problems-of.js'

const columns = { id: text(), count: uint32(), zz: text() }
const define = (more: object): TableSchema => defineTable('things', { columns, key: ['id'], ...more })
const check: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate: () => ({}) } }

describe('durations', () => {
  test.each([
    ['1ms', 1],
    ['20s', 20_000],
    ['90m', 5_400_000],
    ['2h', 7_200_000],
    ['30d', 2_592_000_000],
    ['2w', 1_209_600_000],
  ])('%s', (given, ms) => expect(durationMs(given)).toBe(ms))
  test.each([
    '',
    '0s',
    '-1s',
    '1.5h',
    '01s',
    '1 s',
    '1s ',
    '30',
    'd',
    '1y',
    '1M',
    '1e3s',
    '9'.repeat(400) + 'd',
    '1200000d',
    30,
    null,
    ['1s'],
  ])('%o is none', (given) => expect(durationMs(given)).toBeUndefined())
})

test('expiry and version are columns at the end, of the same types everywhere', () => {
  const schema = define({ ttl: '30d', version: 'rev' })
  expect(schema.columns.slice(schema.keyLength).map(({ name, physical, role }) => [name, physical, role])).toEqual([
    ['count', 'count', 'value'],
    ['zz', 'zz', 'value'],
    ['rk_expires', 'rk_expires', 'expiry'],
    ['rev', 'rk_version', 'version'],
  ])
  expect([schema.expiryIndex, schema.versionIndex, schema.ttl]).toEqual([3, 4, 2_592_000_000])
  expect(schema.columns.slice(3).map(({ type }) => [type.kind, type.unit, type.as, type.nullable])).toEqual([
    ['timestamp', 'ms', 'number', true],
    ['text', undefined, undefined, true],
  ])
  const bare = define({})
  expect([bare.expiryIndex, bare.versionIndex, bare.ttl, bare.checks]).toEqual([-1, -1, undefined, undefined])
  expect(define({ version: 'rev' }).versionIndex).toBe(3)
  const key: Row = ['a']
  expect(schema.layout.rowkey(key)).toEqual(bare.layout.rowkey(key))
})

test('neither is part of the fingerprints, and the JSON has both', () => {
  const schema = define({ ttl: '2h', version: 'rev' })
  expect(schema.fingerprints).toEqual(define({}).fingerprints)
  expect(JSON.stringify(schema)).toContain(
    '{"name":"rk_expires","physical":"rk_expires","role":"expiry","type":{"kind":"timestamp","desc":false,"nullable":true,"nulls":"first","as":"number","unit":"ms"}},' +
      '{"name":"rev","physical":"rk_version","role":"version","type":{"kind":"text","desc":false,"nullable":true,"nulls":"first"}}' +
      '],"ttl":7200000}',
  )
  const copy = schemaFromJSON(JSON.parse(JSON.stringify(schema)) as object)
  expect([copy.expiryIndex, copy.versionIndex, copy.ttl]).toEqual([3, 4, 7_200_000])
})

const json = (): Record<string, unknown> & { columns: Record<string, unknown>[] } =>
  JSON.parse(JSON.stringify(define({ ttl: '2h', version: 'rev' }))) as never
test.each<[string, (given: ReturnType<typeof json>) => unknown]>([
  ['a ttl without its column', (given) => ((given.columns = given.columns.filter(({ role }) => role !== 'expiry')), given)],
  ['a ttl of no number', (given) => ({ ...given, ttl: '2h' })],
  ['a ttl of 0', (given) => ({ ...given, ttl: 0 })],
  ['two versions', (given) => (given.columns.push({ ...given.columns.at(-1), name: 'rev2' }), given)],
  ['an expiry of another type', (given) => ((given.columns[3] = { ...given.columns[3], type: { kind: 'text' } }), given)],
  ['an expiry of another name', (given) => ((given.columns[3] = { ...given.columns[3], physical: 'expires' }), given)],
])('schemaFromJSON: %s is refused', (_, change) => {
  expect(problemCodes(() => schemaFromJSON(change(json()) as object))).toEqual(['MALFORMED_JSON'])
})

test('a table whose expiry has no duration, as catalogs of grown tables have it', () => {
  const { ttl: _, ...grown } = json()
  const schema = schemaFromJSON(grown)
  expect([schema.expiryIndex, schema.ttl]).toEqual([3, undefined])
})

describe('refused', () => {
  test.each<[object, string[]]>([
    [{ ttl: '1 day' }, ['INVALID_TTL']],
    [{ ttl: 30 }, ['INVALID_TTL']],
    [{ version: 'count' }, ['DUPLICATE_NAME count']],
    [{ version: '' }, ['INVALID_VERSION']],
    [{ version: 5 }, ['INVALID_VERSION']],
    [{ version: 'rk_expires', ttl: '1d' }, ['DUPLICATE_NAME rk_expires']],
    [{ version: 'constructor' }, ['INVALID_NAME constructor']],
    [{ version: 'rev', writes: 'plain' }, ['INVALID_VERSION rev']],
    [{ check: {} }, ['INVALID_CHECK']],
    [{ check: [check, null] }, ['INVALID_CHECK']],
    [{ check: () => true }, ['INVALID_CHECK']],
    [{ checks: { id: 'email' } }, ['INVALID_CHECK id']],
    [{ checks: { nope: check } }, ['INVALID_CHECK nope']],
    [{ checks: { rev: check }, version: 'rev' }, ['INVALID_CHECK rev']],
    [{ checks: 5 }, ['INVALID_CHECK']],
    [{ ttl: '', version: 'zz', writes: 'plain', check: 1 }, ['DUPLICATE_NAME zz', 'INVALID_VERSION zz', 'INVALID_CHECK', 'INVALID_TTL']],
  ])('%o', (more, codes) => expect(problemCodes(() => define(more)).toSorted()).toEqual(codes.toSorted()))

  test('a property of the name that ttl adds', () => {
    const schema = (ttl: object) => () =>
      defineTable('things', { columns: { rk_expires: text({ name: 'x' }), id: text() }, key: ['id'], ...ttl })
    expect(problemCodes(schema({ ttl: '1d' }))).toEqual(['DUPLICATE_NAME rk_expires'])
    expect(problemsOf(schema({}))).toEqual([])
  })
})

test('checks are kept by column, outlive a renaming, and are not in the JSON', () => {
  const schema = define({ check, checks: { id: [check, check], count: [] } })
  expect(schema.checks).toEqual({ row: [check], columns: [{ name: 'id', checks: [check, check] }], classValidator: false })
  expect(renameTable(schema, 'dev_things').checks).toBe(schema.checks)
  expect(JSON.stringify(schema)).toBe(JSON.stringify(define({})))
  expect(define({ check: [], checks: {} }).checks).toBeUndefined()
})
