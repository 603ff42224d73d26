import { bucket, text } from '#codec'
import * as model from '#model'
import { defineTable, renameTable, schemaOf } from '#model'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { problemsOf } from './problems-of.js'

// As JavaScript calls the package: what the compiler would refuse.
const js = model as unknown as Record<string, (...args: unknown[]) => unknown>
const problems = (name: string, ...args: unknown[]): string[] =>
  problemsOf(() => js[name]?.(...args)).map(({ code, message }) => `${code}: ${message}`)
const columns = { a: text(), b: text() }

describe('defineTable', () => {
  const names = 'Give a list of column names.'
  test.each<[string, unknown, string]>([
    ['no definition', undefined, 'INVALID_OPTION: the definition is undefined. Give an object with columns and key.'],
    ['a definition as text', 'x', 'INVALID_OPTION: the definition is "x". Give an object with columns and key.'],
    [
      'a misspelt option',
      { columns, key: ['a'], slat: [] },
      "INVALID_OPTION: there is no option 'slat'. The options are columns, partition, key, salt, writes, stores, ttl, version, check, checks, retired, indexes.",
    ],
    ['a key that is no list', { columns, key: 'a' }, `INVALID_OPTION: key is "a". ${names}`],
    ['a partition of null', { columns, partition: null, key: ['a'] }, `INVALID_OPTION: partition is null. ${names}`],
    [
      'a key of a symbol',
      { columns, key: [Symbol('a')] },
      "UNKNOWN_COLUMN: key names Symbol(a), which is not a column. The columns are 'a', 'b'.",
    ],
    [
      'salt as text',
      { columns, key: ['a'], salt: 'a' },
      'INVALID_SALT: salt level 1 is "a". Make it with bucket(), hashPrefix() or kuduHash().',
    ],
    [
      'salt as null',
      { columns, key: ['a'], salt: null },
      'INVALID_SALT: salt level 1 is null. Make it with bucket(), hashPrefix() or kuduHash().',
    ],
    [
      'salt as its options',
      { columns, key: ['a'], salt: { of: 'a', count: 4 } },
      'INVALID_SALT: salt level 1 is an object. Make it with bucket(), hashPrefix() or kuduHash().',
    ],
    ...[null, undefined, text, {}, Object.freeze({})].map((type): [string, unknown, string] => [
      'a key column of no type',
      { columns: { a: type, b: text() }, key: ['a'], salt: bucket({ of: 'b', count: 4 }) },
      "INVALID_TYPE: the type of column 'a' is ",
    ]),
  ])('%s', (_, definition, message) => {
    expect(problems('defineTable', 'tbl', definition).join('\n')).toContain(message)
  })

  test.each([undefined, null, Symbol('x'), 5, {}])('the name %o', (name) => {
    expect(problems('defineTable', name, { columns, key: ['a'] }).join('\n')).toContain('INVALID_NAME: the table cannot be called ')
  })

  test('columns and stores of another realm', () => {
    const foreign = runInNewContext('(a) => ({ columns: { a }, stores: { kudu: { replicas: [3] } } })') as (a: unknown) => object
    expect(schemaOf(js['defineTable']?.('tbl', { ...foreign(text()), key: ['a'] }) as never).stores).toEqual({ kudu: { replicas: [3] } })
  })

  test('stores of 20,000 levels', () => {
    let deep: unknown = 1
    for (let i = 0; i < 20_000; i++) deep = { deep }
    expect(problems('defineTable', 'tbl', { columns, key: ['a'], stores: { deep } }).join('\n')).toContain(
      'stores contains something that is not plain JSON data',
    )
  })
})

describe('schemaFromJSON', () => {
  const json = JSON.parse(JSON.stringify(defineTable('tbl', { columns, key: ['a'] }))) as { columns: object[] }
  test.each([undefined, null, '"x"', 5])('%o', (given) => {
    expect(problems('schemaFromJSON', given).join()).toMatch(
      /^MALFORMED_JSON: the JSON is .+\. Pass the parsed output of a schema's toJSON\(\)/,
    )
  })
  test.each<[string, object]>([
    ['no columns', { columns: undefined }],
    ['a column of null', { columns: [null] }],
    ['a column without name', { columns: json.columns.map((column) => ({ ...column, name: undefined, physical: undefined })) }],
    ['a salt of null', { salt: [null] }],
    ['no salt', { salt: undefined }],
  ])('%s', (_, change) => expect(problems('schemaFromJSON', { ...json, ...change }).join()).toMatch(/^MALFORMED_JSON/))
  test('a name that is none', () => {
    expect(problems('schemaFromJSON', { ...json, name: null }).join()).toMatch(/^INVALID_NAME/)
  })
})

describe('renameTable', () => {
  const schema = defineTable('evt', { columns, key: ['a'] })
  test('says which prefix makes a name that is none', () => {
    expect(problems('renameTable', schema, '9 evt')).toEqual([
      `INVALID_NAME: the table cannot be called "9 evt", which is the prefix "9 " and the name 'evt'. ` +
        "Use 1 to 255 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'.",
    ])
    expect(() => renameTable(schema, '9 evt')).toThrow("INVALID_SCHEMA: table 'evt' has a problem:")
  })
  test('names without a prefix, and what is no schema', () => {
    expect(problems('renameTable', schema, 'a b').join()).toContain('the table cannot be called "a b". Use')
    expect(problems('renameTable', schema).join()).toContain('the table cannot be called undefined. Use')
    expect(problems('renameTable', undefined, 'abc').join()).toMatch(/^NOT_A_TABLE/)
  })
})

test.each([undefined, null, 'x', Symbol('x'), Object.create(null)])('schemaOf(%o)', (given) => {
  expect(problems('schemaOf', given).join()).toMatch(/^NOT_A_TABLE: the model is /)
  expect(() => schemaOf(given as never)).toThrow('INVALID_SCHEMA: the model has a problem:')
})
