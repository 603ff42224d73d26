import { expect, test } from 'vitest'
import type { TableDefinition } from '../src/index.js'
import { refusing } from '../src/refusal.js'
import { checkDefinition } from '../src/tables/checks.js'
import { columnSchemaOf } from '../src/tables/columns.js'
import { partitionsOf } from '../src/tables/partitions.js'

const id = { name: 'id', type: 'INT64', isKey: true } as const
const value = { name: 'value', type: 'INT8', isKey: false } as const
const base = { name: 't', columns: [id, value] }

/** What is done before anything is sent. */
const prepare = (definition: unknown): unknown =>
  refusing('createTable', () => {
    const given = definition as TableDefinition
    checkDefinition(given)
    return [given.columns.map(columnSchemaOf), partitionsOf(given)]
  })

test('the smallest and the largest tables are taken', () => {
  prepare({ name: 't', columns: [id] })
  prepare({ name: 'n'.repeat(256), columns: [id, ...Array.from({ length: 299 }, (_, index) => ({ ...value, name: `c${index}` }))] })
})

test.each<[string, unknown, RegExp]>([
  ['no definition', null, /is null\. Give an object/],
  ['a misspelt property', { ...base, hashes: [] }, /'hashes' does not exist/],
  ['no name', { ...base, name: '' }, /name is ''/],
  ['a name that is too long', { ...base, name: 'ü'.repeat(129) }, /name has 258 bytes/],
  ['half a character', { ...base, name: 'a\ud800' }, /no name/],
  ['no columns', { name: 't' }, /columns is undefined/],
  ['no key', { name: 't', columns: [value] }, /no column of the key/],
  ['an empty list', { name: 't', columns: [] }, /no column of the key/],
  ['the key after other columns', { name: 't', columns: [id, value, { ...id, name: 'b' }] }, /columns\[2\] is of the key and follows/],
  ['a name twice', { name: 't', columns: [id, { ...value, name: 'id' }] }, /columns\[1\]\.name is 'id', which another column has/],
  [
    'too many columns',
    { name: 't', columns: [id, ...Array.from({ length: 300 }, (_, index) => ({ ...value, name: `c${index}` }))] },
    /columns has 301/,
  ],
  ['a type that does not exist', { name: 't', columns: [{ ...id, type: 'UINT8' }] }, /columns\[0\]\.type is 'UINT8'/],
  ['a type of every object', { name: 't', columns: [{ ...id, type: 'toString' }] }, /columns\[0\]\.type is 'toString'/],
  ['a key of a type that cannot be one', { name: 't', columns: [{ ...id, type: 'DOUBLE' }] }, /type is DOUBLE, which cannot be in a key/],
  ['a key that can be null', { name: 't', columns: [{ ...id, isNullable: true }] }, /isNullable is true/],
  ['a decimal without digits', { name: 't', columns: [id, { ...value, type: 'DECIMAL' }] }, /columns\[1\]\.precision is undefined/],
  ['too many digits', { name: 't', columns: [id, { ...value, type: 'DECIMAL', precision: 39 }] }, /precision is 39/],
  ['a scale beyond the digits', { name: 't', columns: [id, { ...value, type: 'DECIMAL', precision: 3, scale: 4 }] }, /scale is 4/],
  ['digits of a number', { name: 't', columns: [id, { ...value, precision: 3 }] }, /precision or scale is given, and the type is INT8/],
  ['text of no length', { name: 't', columns: [id, { ...value, type: 'VARCHAR' }] }, /length is undefined/],
  ['an encoding that does not exist', { name: 't', columns: [id, { ...value, encoding: 'rle' }] }, /encoding is 'rle'/],
  ['a compression that does not exist', { name: 't', columns: [id, { ...value, compression: 'zip' }] }, /compression is 'zip'/],
  ['a default of another type', { name: 't', columns: [id, { ...value, defaultValue: 'x' }] }, /value is a string/],
  ['a default that is too large', { name: 't', columns: [id, { ...value, defaultValue: 128 }] }, /value is 128/],
  ['one bucket', { ...base, hash: [{ columns: ['id'], buckets: 1 }] }, /hash\[0\]\.buckets is 1/],
  ['a hash of another column', { ...base, hash: [{ columns: ['value'], buckets: 2 }] }, /'value', which is no column of the key/],
  ['a hash of nothing', { ...base, hash: [{ columns: [], buckets: 2 }] }, /hash\[0\]\.columns is empty/],
  [
    'a column that is hashed twice',
    {
      ...base,
      hash: [
        { columns: ['id'], buckets: 2 },
        { columns: ['id'], buckets: 3 },
      ],
    },
    /hash\[1\]\.columns has 'id', which is hashed twice/,
  ],
  ['a seed below zero', { ...base, hash: [{ columns: ['id'], buckets: 2, seed: -1 }] }, /seed is -1/],
  ['ranges of no column', { ...base, ranges: [{}] }, /range has no column/],
  ['a range of another column', { ...base, range: ['value'] }, /range has 'value'/],
  ['a bound of another column', { ...base, range: ['id'], ranges: [{ from: { value: 1 } }] }, /value is no column of the range/],
  ['a bound of another type', { ...base, range: ['id'], ranges: [{ from: { id: 'x' } }] }, /id is a string/],
  [
    'splits with hash levels of ranges',
    {
      ...base,
      hash: [{ columns: ['id'], buckets: 2 }],
      range: ['id'],
      ranges: [{ hash: [{ columns: ['id'], buckets: 3 }] }],
      splits: [{ id: 1 }],
    },
    /splits are given with ranges/,
  ],
  [
    'hash levels of another number',
    { ...base, range: ['id'], ranges: [{ hash: [{ columns: ['id'], buckets: 3 }] }] },
    /ranges\[0\]\.hash has 1 levels/,
  ],
  ['an even number of replicas', { ...base, replicas: 2 }, /replicas is 2\. Give an odd number/],
  ['an owner that is no text', { ...base, owner: 1 }, /owner is a number/],
])('%s is refused before anything is sent', (_, definition, expected) => {
  expect(() => prepare(definition)).toThrow(expected)
  expect(() => prepare(definition)).toThrow(
    expect.objectContaining({ name: 'KuduError', code: 'INVALID_ARGUMENT', isSent: false }) as Error,
  )
})
