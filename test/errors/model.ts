import { bucket, hashPrefix, json, nullable, period, text, timestamp, uint32, type ColumnType } from 'rowkey/codec'
import { Check, createMapper, defineTable, KeyColumn, memory, renameTable, schemaOf, Table, type TableSchema } from 'rowkey'
import * as classValidator from 'class-validator'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Provocation, Remedy } from './provocation.js'
import { gives, namesIn, withEach, within } from './remedies.js'

/** Untyped, as JavaScript calls it. */
const define = (name: string, definition: object) => (): TableSchema =>
  (defineTable as unknown as (name: string, definition: object) => TableSchema)(name, definition)
const columns = { a: text(), b: text() }
const abc = (definition: object) => define('abc', { columns, key: ['a'], ...definition })

/** The table can be made, and a store holds a row of it. */
const holds = (name: string, definition: object, row: object): Remedy =>
  gives(async () => {
    const schema = define(name, definition)()
    const db = createMapper(memory())
    await db.ensureTables([schema])
    const rows = db.repository(schema)
    await rows.put(row as never)
    return rows.scan({}, { unbounded: true }).count()
  }, 1)

const named = (name: string, definition: object = {}) => define(name, { columns, key: ['a'], ...definition })()
const long = (count: number | bigint): string => 'x'.repeat(Number(count))

/** Names of as many characters as the words allow are accepted, with all characters that they list, and one that is longer is refused. */
const names =
  (accept: (name: string) => unknown): Remedy =>
  async (said, error) => {
    await within((count: number) => accept(long(count)))(said, error)
    for (const name of ['9', '_a', 'a-b.c:d']) expect(accept(name)).toBeDefined()
  }

const enoughColumns = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, text()]))

@Table('checked_by_class_validator')
class Checked {
  @Check(classValidator.Length(4)) @KeyColumn(1, text()) a!: string
}

const instants = { at: timestamp('ms'), day: period('day', { of: 'at' }) }

export const modelErrors: readonly Provocation[] = [
  [
    'a period after its source',
    define('visits', { columns: instants, key: ['at', 'day'] }),
    { "Put it before 'at'": holds('visits', { columns: instants, key: ['day', 'at'] }, { at: new Date(5) }) },
  ],
  [
    'names that not every store accepts',
    define('a b', { columns: { 'a b': text(), rk_version: text(), '7': text(), constructor: text() }, key: ['a b'] }),
    {
      "Use 1 to 255 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'": names((name) => named(name)),
      "With { name }, give it 1 to 128 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'": names((name) =>
        abc({ columns: { ...columns, 'a b': text({ name }) } })(),
      ),
      'Give it another name with { name }': holds(
        'abc',
        { columns: { rk_version: text({ name: 'v' }) }, key: ['rk_version'] },
        { rk_version: 'x' },
      ),
      "Rename the property and give the name in the store with { name: '…' }": holds(
        'abc',
        { columns: { seven: text({ name: '7' }) }, key: ['seven'] },
        { seven: 'x' },
      ),
      "Rename the property and keep the name in the store with { name: 'constructor' }": holds(
        'abc',
        { columns: { maker: text({ name: 'constructor' }) }, key: ['maker'] },
        { maker: 'x' },
      ),
    },
  ],
  [
    'two columns of one name',
    abc({ columns: { a: text({ name: 'x' }), b: text({ name: 'x' }) } }),
    {
      'Give one of them another { name }': holds(
        'abc',
        { columns: { a: text({ name: 'x' }), b: text({ name: 'y' }) }, key: ['a'] },
        { a: '1', b: '2' },
      ),
    },
  ],
  [
    'something that is not a column type',
    abc({ columns: { a: 'text' } }),
    { 'Give a column type such as text() or int64()': holds('abc', { columns: { a: text() }, key: ['a'] }, { a: 'x' }) },
  ],
  [
    'something that is not an object of columns',
    define('abc', { columns: [text()], key: [] }),
    {
      'Give { name: type }, without a column called __proto__': holds('abc', { columns: { name: text() }, key: ['name'] }, { name: 'x' }),
      'List at least one in key, or in partition for a table by id': holds('abc', { columns, key: ['a'] }, { a: 'x', b: 'y' }),
    },
  ],
  [
    'too many columns',
    define('abc', { columns: enoughColumns(251), key: ['c0'] }),
    {
      'Every store can hold 250. Put those that you rarely filter by into one json() column': (said) => {
        const most = Number(/\d+/.exec(said)?.[0])
        const { [`c${most - 1}`]: _, ...others } = enoughColumns(most) as Record<string, ColumnType>
        expect(define('abc', { columns: { ...others, others: json() }, key: ['c0'] })().columns).toHaveLength(most)
        expect(define('abc', { columns: enoughColumns(most + 1), key: ['c0'] })).toThrow('TOO_MANY_COLUMNS')
      },
    },
  ],
  [
    'a key without columns',
    abc({ key: [] }),
    {
      'List at least one in key, or in partition for a table by id': holds('abc', { columns, key: ['a'] }, { a: 'x', b: 'y' }),
    },
  ],
  [
    'a key of unknown and repeated columns',
    abc({ key: ['a', 'a', 'c'] }),
    { 'Name each column once': gives(abc({ key: ['a'] })), "The columns are 'a', 'b'": withEach((name) => abc({ key: [name] })()) },
  ],
  [
    'JSON in the key',
    abc({ columns: { a: json(), b: text() }, key: ['b', 'a'] }),
    {
      'Make it a value column': holds('abc', { columns: { a: json(), b: text() }, key: ['b'] }, { a: {}, b: 'x' }),
      'give it another type': holds('abc', { columns, key: ['b', 'a'] }, { a: 'x', b: 'y' }),
    },
  ],
  [
    'salts that do not fit',
    abc({
      columns: { ...columns, n: nullable(uint32()) },
      key: ['a', 'n'],
      salt: [bucket({ of: 'n', count: 4 }), bucket({ of: 'b', count: 4 }), 'x'],
    }),
    {
      'Use columns that are never null': gives(abc({ salt: bucket({ of: 'a', count: 4 }) })),
      "Use one of 'a'": withEach((of) =>
        abc({ columns: { ...columns, n: nullable(uint32()) }, key: ['a', 'n'], salt: bucket({ of, count: 4 }) })(),
      ),
      'Make it with bucket(), hashPrefix() or kuduHash()': gives(abc({ salt: [hashPrefix({ of: 'a', digits: 2 })] })),
    },
  ],
  [
    'salts that share a column',
    abc({ key: ['a', 'b'], salt: [bucket({ of: 'a', count: 4 }), bucket({ of: ['a', 'b'], count: 8 })] }),
    {
      'Give each level its own columns': gives(
        abc({ key: ['a', 'b'], salt: [bucket({ of: 'a', count: 4 }), bucket({ of: 'b', count: 8 })] }),
      ),
    },
  ],
  [
    'unknown and invalid options',
    abc({ writes: 'fast', colums: {}, stores: { kudu: new Date(0) } }),
    {
      'The options are columns, partition, key, salt, writes, stores, ttl, version, check, checks, retired, indexes': withEach((name) =>
        abc({ [name]: valid[name] })(),
      ),
      "Give 'plain' or 'conditional'": withEach((writes) => abc({ writes })()),
      'Give hints by adapter name: objects, lists, strings, finite numbers, booleans and null': gives(() =>
        abc({ stores: { kudu: { a: [1, 'x', true, null] } } })(),
      ),
    },
  ],
  [
    'an invalid expiry, version and checks',
    abc({ ttl: '1 day', version: 'b', writes: 'plain', check: 'x', checks: { c: 5 } }),
    {
      "Give a whole number from 1 followed by ms, s, m, h, d or w, such as '30d', and at most 3,168 years": durations((ttl) =>
        abc({ ttl })(),
      ),
      "or 'never'": gives(abc({ ttl: 'never' })),
      'The version is a column of its own, so give it another name': gives(abc({ version: 'rev' })),
      "Declare writes: 'conditional', or leave out the version": gives(() => [
        abc({ writes: 'conditional', version: 'rev' })(),
        abc({ writes: 'plain' })(),
      ]),
      'Give a Standard Schema, such as one of zod, valibot or arktype. Put decorators of class-validator into @Check': gives(() => [
        abc({ check: z.object({ a: z.string() }), checks: { b: z.string() } })(),
        createMapper(memory(), { classValidator }).repository(schemaOf(Checked)),
      ]),
      'Remove the checks, or declare the column': gives(() => [
        abc({})(),
        abc({ columns: { ...columns, c: text() }, checks: { c: z.string() } })(),
      ]),
    },
  ],
  [
    'a schema that is too long',
    abc({ columns: { ...columns, c: text({ default: 'x'.repeat(17_000_000) }) } }),
    {
      'more than about 16777216 characters long. Shorten defaults, dictionaries or what is in stores': (said) => {
        const most = Number(/\d+/.exec(said)?.[0])
        expect(abc({ columns: { ...columns, c: text({ default: long(most - 1000) }) } })()).toBeDefined()
        expect(abc({ columns: { ...columns, c: text({ default: long(most + 1) }) } })).toThrow('INVALID_SCHEMA')
      },
    },
  ],
  [
    'a prefix that makes an invalid name',
    () => renameTable(defineTable('abc', { columns, key: ['a'] }), 'dev abc'),
    {
      "Use 1 to 255 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'": names((name) =>
        renameTable(named('abc'), name),
      ),
    },
  ],
  [
    'a prefix before a name',
    () => renameTable(defineTable('abc', { columns, key: ['a'] }), '9 abc'),
    {
      "Use 1 to 255 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'": names((name) =>
        renameTable(named('abc'), name),
      ),
    },
  ],
  ['a table without definition', define('abc', undefined as never), { 'Give an object with columns and key': gives(abc({})) }],
]

/** A valid value for each option. */
const valid: Readonly<Record<string, unknown>> = {
  columns,
  partition: ['b'],
  key: ['a'],
  salt: bucket({ of: 'a', count: 4 }),
  writes: 'plain',
  stores: {},
  ttl: '1d',
  version: 'rev',
  check: z.object({}),
  checks: { a: z.string() },
  retired: ['z'],
  indexes: { byB: { key: ['b'] } },
}

/** Durations with the least number and each unit that the words list, and at most as many years as they say. */
export function durations(give: (ttl: string) => unknown): Remedy {
  return async (said, { code }) => {
    const [, least = '', units = '', years = ''] =
      /from (\d+) followed by ([a-z, ]+), such as '.*', and at most ([\d,]+) years/.exec(said) ?? []
    const hours = (count: number): string => `${count * 365.25 * 24}h`
    const most = Number(years.replace(',', ''))
    const accept = async (ttl: string): Promise<unknown> => give(ttl)
    for (const ttl of [...namesIn(`Use ${units}`).map((unit) => least + unit), hours(most)])
      await expect(accept(ttl), ttl).resolves.toBeDefined()
    for (const ttl of [`${Number(least) - 1}d`, hours(most + 1)]) await expect(accept(ttl), ttl).rejects.toMatchObject({ code })
  }
}
